#!/bin/sh
# What a probe in files of a set takes, on standard output: latency.sh DIR ENDING... > latency.csv
# DIR: the WDL files of the endings and of all that they lead to. 20,000 random positions of the whole ending, files in memory, captures
# and promotions looked up, too. On a machine with nothing else to do.
set -eu
tables=${1:?a folder of WDL tables}
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo ending,codec,bytes,positions,median_ns,p90_ns,p99_ns,mean_ns
for ending; do
  subdef bench probe "$ending" --metric wdl --tables "$tables" -n 20000 --json >"$work/bench" 2>"$work/err" || { cat "$work/err" >&2; exit 1; }
  sqlite3 -batch -csv :memory: "WITH bench AS (SELECT readfile ('$work/bench') AS j)
    SELECT '$ending', j->>'\$[0].codec', j->>'\$[0].bytes', j->>'\$[0].all.positions', j->>'\$[0].all.median_ns', j->>'\$[0].all.p90_ns',
      j->>'\$[0].all.p99_ns', printf ('%.0f', j->>'\$[0].all.mean_ns') FROM bench"
done
