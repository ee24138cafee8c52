#!/bin/sh
# How long probes of WDL diagrams take with and without positions in check as a source of freedom, made in WORK as 'subdef reformat' makes
# them by default: checks.sh TABLES WORK [SUBDEF] >checks-probes.csv. TABLES: exact tables of the endings and of all that they convert into.
set -eu
tables=${1:?path to the exact tables} work=${2:?folder for what is made} subdef=${3:-subdef}
echo ending,freedom,file_bytes,median_ns,p99_ns,mean_ns,positions,by_moves
for ending in KQvKR KQvKQ KRvKP KRvKN KNvKP; do
  for freedom in all all+check all+evident; do
    "$subdef" reformat $ending --with-successors --metric wdl --freedom $freedom --tables "$tables" -o "$work/$freedom" -q
    "$subdef" bench probe $ending --tables "$work/$freedom" --json >"$work/probe.json" 2>/dev/null
    sqlite3 -csv :memory: "SELECT '$ending', '$freedom', $(wc -c <"$work/$freedom/$ending.wdl.sdt"), j ->> '$[0].all.median_ns',
      j ->> '$[0].all.p99_ns', round (j ->> '$[0].all.mean_ns', 1), j ->> '$[0].all.positions',
      ifnull (j ->> '$[0].\"restored by a ply\".positions', 0) FROM (SELECT CAST (readfile ('$work/probe.json') AS TEXT) AS j)"
  done
done
