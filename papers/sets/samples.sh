#!/bin/sh
# What `subdef reformat --estimate` says of endings, beside what the files then take, as CSV: samples.sh METRIC EXACT [ENDING ...] > samples.new
# EXACT: a folder of exact tables; without endings those with 3 and 4 men. CPU seconds are user and system time of one process with one thread, of the
# estimate, too (looked_s). WORDS: more words for the program. subdef is looked for on PATH, or is $SUBDEF.
set -eu
metric=$1 exact=$2
shift 2
[ $# -gt 0 ] || set -- $(${SUBDEF:-subdef} set --men 4 --metric wdl -o /nonexistent --estimate --json | sed -n 's/.*"table":"\([^"]*\)","metric":"wdl".*/\1/p')
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMP_NUM_THREADS=1
timed () { # FILE COMMAND...: its seconds and bytes of memory in the file
  file=$1
  shift
  env time -f '%U %S %M' -o "$file" "$@"
  awk 'END { printf "%.2f,%d\n", $1 + $2, 1024 * $3 }' "$file" >"$file.csv"
}
echo "metric,ending,bytes,estimated,low,high,cpu_s,estimated_s,memory,estimated_memory,looked_s"
for ending; do
  timed "$work/e" "${SUBDEF:-subdef}" reformat "$ending" --metric "$metric" --tables "$exact" -o "$work" --estimate --json ${WORDS-} >"$work/json"
  timed "$work/r" "${SUBDEF:-subdef}" reformat "$ending" --metric "$metric" --tables "$exact" -o "$work" --force --json ${WORDS-} >"$work/log"
  taken=$(cat "$work/r.csv") bytes=$(wc -c <"$work/$ending.$metric.sdt")
  sqlite3 -batch :memory: "SELECT printf ('%s,%s,%d,%d,%d,%d,%s,%.2f,%s,%d,%s', '$metric', '$ending', $bytes, r->>'bytes', r->>'bytes_low', r->>'bytes_high',
    '${taken%,*}', r->>'cpu_s', '${taken#*,}', r->>'memory_bytes', '$(cut -d, -f1 "$work/e.csv")')
    FROM (SELECT value->0 AS r FROM json_each (json_array (json (readfile ('$work/json')))))"
done
