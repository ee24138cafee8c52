#!/bin/sh
# What 'subdef reformat --metric dtm' might do where no option chooses: bytes and CPU seconds of each candidate for
# each ending with 3 and 4 men, beside the bytes of the exact table.
#
#   sh papers/obdd/defaults.sh TABLES >defaults.csv
#
# TABLES has the exact tables of all 35 endings ('subdef gen --men 4'); subdef is looked for on PATH, or is $SUBDEF.
# One thread; each table is read back and compared, which the seconds include. Some 20 minutes of CPU time.
set -eu
tables=$1
subdef=${SUBDEF:-subdef}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
export OMP_NUM_THREADS=1 LC_ALL=C

# spent: the seconds of the second line of `times`, of the processes that have ended, in the files before and after
spent () {
  awk 'FNR == 2 { gsub(/s/, ""); split($1, u, "m"); split($2, s, "m"); t[++n] = 60 * (u[1] + s[1]) + u[2] + s[2] }
    END { printf "%.2f", t[2] - t[1] }' "$out/before" "$out/after"
}

# candidate CODEC SETTINGS NUMBERING SIDES: a row for each ending
candidate () {
  for exact in "$tables"/*.dtm.sdt; do
    ending=$(basename "$exact" .dtm.sdt)
    times >"$out/before"
    "$subdef" reformat "$ending" --metric dtm --tables "$tables" -o "$out" -q -f --codec "$1" ${2:+--set "$2"} \
      --numbering "$3" --sides "$4" 2>/dev/null
    times >"$out/after"
    echo "$ending,$(wc -c <"$exact"),$1,\"$2\",$3,$4,$(wc -c <"$out/$ending.dtm.sdt"),$(spent)"
  done
}

echo "material,exact,codec,settings,numbering,sides,bytes,cpu_s"
candidate repair "" rows both
candidate lzma block=16384 rows both
candidate obdd choices=256,pairs=256 folded joint
candidate trees block=1024 rows both
