#!/bin/sh
# What coding White's side of a WDL table takes by one thread and by more, on standard output: rows.sh DIR ENDING ... > threads.csv
# DIR: exact DTM tables of the endings and of all that they lead to. For each ending and codec (CODECS names others) and 1, 2, 4, ...
# THREADS threads (2): slots, bytes of the stream, and the medians of TURNS (3) of seconds and of CPU seconds of all threads and of the
# first one. Files go to a temporary folder.
# It is measured by:
#   subdef gen KRvKP -o DIR && sh papers/threads/rows.sh DIR KRvKP > threads.csv
set -eu
tables=${1:?a folder of exact tables}
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Threads that wait for the first one take no CPU time.
export OMP_WAIT_POLICY=passive
echo ending,codec,threads,slots,bytes,seconds,cpu_s,first_thread_cpu_s
for ending; do
  subdef reformat "$ending" -m wdl --sides white --codec huffman --tables "$tables" -o "$work" -q
  subdef info --json "$work/$ending.wdl.sdt" --tables "$work" >"$work/info"
  for codec in ${CODECS-repair huffman trees}; do
    subdef bench encode "$ending" --codec "$codec" --threads "${THREADS:-2}" --turns "${TURNS:-3}" --json --tables "$work:$tables" >"$work/bench" 2>"$work/err" || { cat "$work/err" >&2; exit 1; }
    sqlite3 -batch -csv :memory: "WITH bench AS (SELECT readfile ('$work/bench') AS j), info AS (SELECT readfile ('$work/info') AS j)
      SELECT '$ending', '$codec', value->>'threads', (SELECT max (side.value->>'slots') FROM info, json_each (info.j, '\$[0].sides') AS side),
        bench.j->>'\$[0].encoded_bytes', printf ('%.3f', value->>'seconds'), printf ('%.3f', value->>'cpu_s'), printf ('%.3f', value->>'first_thread_cpu_s')
      FROM bench, json_each (bench.j, '\$[0].threads')"
  done
  rm "$work/$ending.wdl.sdt"
done
