#!/bin/sh
# Measures the times that README.md and papers/README.md tell: times.sh TABLES WORK [SUBDEF [SUBDEF-GEN]] prints papers/times.csv, a line a
# table and what was timed. TABLES: exact tables of all endings with 3 and 4 men (subdef gen --men 4). On a machine that has nothing else to
# do: nothing here is repeated. Times are nanoseconds of `subdef bench probe` over random positions (medians), and CPU-seconds.
set -eu
tables=${1:?folder with exact tables} work=${2:?folder for recoded tables} subdef=${3:-subdef} gen=${4:-subdef-gen}
papers=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$work"

echo "what,ending,metric,codec,settings,bytes,median_ns,p99_ns,slot_median_ns"
# timed ENDING METRIC CODEC SETTINGS LAYOUTS POSITIONS
timed () {
  out=$work/$3-$2
  "$subdef" reformat "$1" --with-successors --metric "$2" --codec "$3" --set "$4" --tables "$tables" -o "$out" -q 2>/dev/null || true
  "$subdef" reformat "$1" --metric "$2" --codec "$3" --set "$4" --layouts "$papers/$5" --tables "$tables" -o "$out" -f -q
  [ "$2" = wdl ] || "$subdef" reformat "$1" --with-successors --metric wdl --codec repair --tables "$tables" -o "$out" -q 2>/dev/null || true
  "$subdef" bench probe "$1" --metric "$2" --tables "$out" -n "$6" --json 2>/dev/null | awk -F'[:,]' -v head="probe,$1,$2,$3,\"$4\"" '
    /"bytes"/ { bytes = $2 + 0 }
    /^  "/ { part = $1 }
    /"median_ns"/ { median[part] = $2 + 0 }
    /"p99_ns"/ { last[part] = $2 + 0 }
    END { print head "," bytes "," median["  \"all\""] "," last["  \"all\""] "," median["  \"table alone\""] }'
}
for ending in KQvKR KRvKP; do
  timed "$ending" wdl repair block=128,parse=optimal repair/wdl-3-4.csv 100000
  timed "$ending" wdl obdd polish=20 obdd/wdl-3-4.csv 100000
done
timed KQvKR dtm repair block=1024 repair/dtm-3-4.csv 20000
timed KQvKR dtm obdd sums=yes,choices=256,pairs=256,clusters=16 obdd/dtm-3-4.csv 20000
timed KQvKR dtm trees block=1024 repair/dtm-3-4.csv 200
rm -rf "$work/generated"
before=$(times | tail -n 1)
OMP_NUM_THREADS=1 "$gen" --men 4 -q -o "$work/generated" >/dev/null
after=$(times | tail -n 1)
echo "$before $after" | tr 'ms' '  ' | awk -v bytes="$(cat "$work"/generated/*.sdt | wc -c)" '
  { printf "\"generating, CPU-seconds\",all 35,dtm,,,%d,,,%.1f\n", bytes, $5 * 60 + $6 + $7 * 60 + $8 - ($1 * 60 + $2 + $3 * 60 + $4) }'
