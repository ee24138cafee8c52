#!/bin/sh
# What recoding a table takes of memory within the bound that the program says it needs, and that bound, on standard output: rows.sh DIR ENDING ... > memory.csv
# DIR: exact DTM tables of the endings and of all that they lead to. For each ending, metric and codec (CODECS_WDL, CODECS_DTM name others):
# slots of one side to move in the layout of the file, peak bytes of the process with one thread and the least '--memory',
# and that bound, with which 'subdef reformat --memory' refuses one byte. Files go to a temporary folder. It is measured by:
#   subdef gen KRvKP -o DIR && sh papers/memory/rows.sh DIR KRvKP > memory.csv
set -eu
tables=${1:?a folder of exact tables}
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMP_NUM_THREADS=1
peak='import resource, subprocess, sys
subprocess.run (sys.argv[1:], check=True)
print (resource.getrusage (resource.RUSAGE_CHILDREN).ru_maxrss * 1024)'
one () { # METRIC ENDING CODEC
  may=$(subdef reformat "$2" -m "$1" --codec "$3" --tables "$tables" -o "$work" --memory 1 2>&1 | sed -n 's/.*takes some \([0-9,]*\) bytes.*/\1/p' | tr -d ,)
  bytes=$(python3 -c "$peak" subdef reformat "$2" -m "$1" --codec "$3" --tables "$tables" -o "$work" -q --memory "$may")
  subdef info --json "$work/$2.$1.sdt" --tables "$work" >"$work/info"
  slots=$(sqlite3 -batch :memory: "SELECT max (value->>'slots') FROM json_each (readfile ('$work/info'), '\$[0].sides')")
  rm "$work/$2.$1.sdt"
  echo "$2,$1,$3,$slots,$bytes,$may"
}
echo ending,metric,codec,slots,bytes,may_take
for ending; do
  for codec in ${CODECS_WDL-repair huffman lzma obdd trees forest}; do
    one wdl "$ending" "$codec"
  done
  for codec in ${CODECS_DTM-repair obdd trees}; do
    one dtm "$ending" "$codec"
  done
done
