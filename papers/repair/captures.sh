#!/bin/sh
# A lookup in the table of an ending against lookups in the tables that its captures lead to (Zakharov 2015, 1.6): captures.sh TABLES WORK
# [SUBDEF] >captures.csv. WDL, LZMA in blocks of 16 kB and RE-PAIR in blocks of 128 bytes, no freedom, warm; KBBBvK and its sub-endings have 5 men and less.
set -eu
tables=${1:?path to the exact tables} work=${2:?folder for what is made} subdef=${3:-subdef}
echo "ending,codec,table,lookup_ns,bytes"
for line in "KQvKR KQvK KRvK" "KRvKP KRvK KPvK" "KBBBvK KBBvK KBvK"; do
  for codec in lzma:16384 repair:128; do
    folder=$work/captures-${codec%:*}
    for ending in $line; do
      file=$folder/$ending.wdl.sdt
      [ -f "$file" ] || "$subdef" reformat "$ending" --freedom none --codec "${codec%:*}" --set "block=${codec#*:}" --tables "$tables" -o "$folder" -q
    done
    for ending in $line; do
      "$subdef" bench probe "$ending" --count 20000 --tables "$folder:$tables" --json |
        awk -v line="${line%% *},${codec%:*},$ending" -v bytes="$(wc -c <"$folder/$ending.wdl.sdt")" '
          /"table alone"/ { here = 1 } here && /"median_ns"/ { print line "," $2 + 0 "," bytes; exit }'
    done
  done
done
