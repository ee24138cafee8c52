#!/bin/sh
# All DTM tables with 3 and 4 men as small forests: small-sets.sh TABLES WORK [SUBDEF] >small-sets.csv. The layouts are those of
# papers/best-dtm-3-4.csv; the bytes of each file, and the medians of a probe, which WDL tables made by default in WORK/wdl help, and of a
# lookup in the table alone. A table that is in WORK is kept. Some 12 minutes of CPU time.
set -eu
tables=${1:?path to the exact tables} work=${2:?folder for what is made} subdef=${3:-subdef}
list=$(cd "$(dirname "$0")" && pwd)/../best-dtm-3-4.csv
"$subdef" reformat --men 4 --metric wdl --tables "$tables" -o "$work/wdl" -q
"$subdef" reformat --men 4 --metric dtm --layouts "$list" --freedom all+check --codec forest --set block=128,slots=128,trees=8,leaves=1000 \
  --tables "$tables" -o "$work/dtm" -q
echo ending,bytes,probe_ns,lookup_ns
for file in "$work"/dtm/*.dtm.sdt; do
  ending=$(basename "$file" .dtm.sdt)
  "$subdef" bench probe "$ending" --metric dtm --count 20000 --tables "$work/dtm:$work/wdl" --json >"$work/probe.json"
  sqlite3 -csv :memory: "SELECT '$ending', $(wc -c <"$file"), j ->> '$[0].all.median_ns', j ->> '$[0].\"table alone\".median_ns'
    FROM (SELECT CAST (readfile ('$work/probe.json') AS TEXT) AS j)"
done
