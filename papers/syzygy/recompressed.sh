#!/bin/sh
# Bytes and CPU seconds of WDL files that 'subdef recompress' makes of public ones, as CSV:
#   recompressed.sh PUBLIC DIR [OPTION...] >recompressed.csv
# PUBLIC has the files of an ending and of all smaller ones, the new ones come into DIR. A process for each file, with
# these options, one after the other; the seconds are of all its threads. subdef is looked for on PATH, or is $SUBDEF.
set -eu
[ $# -ge 2 ] || { echo "usage: $0 PUBLIC DIR [OPTION...]" >&2; exit 2; }
public=$1 out=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C

echo ending,metric,bytes,public,cpu_s
for file in "$public"/*.rtbw; do
  ending=$(basename "$file" .rtbw)
  times >"$work/before"
  "${SUBDEF:-subdef}" recompress -q -f -j 1 "$@" -o "$out" -p "$public" "$file"
  times >"$work/after"
  # the second line of `times`: what processes that have ended have spent
  spent=$(awk 'FNR == 2 { gsub(/s/, ""); split($1, u, "m"); split($2, s, "m"); t[++n] = 60 * (u[1] + s[1]) + u[2] + s[2] }
    END { printf "%.2f", t[2] - t[1] }' "$work/before" "$work/after")
  echo "$ending,wdl50,$(wc -c <"$out/$ending.rtbw"),$(wc -c <"$file"),$spent"
done
