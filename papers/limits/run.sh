#!/bin/sh
# The ladder of every ending with 3 and 4 men, both metrics: limits.csv. run.sh TABLES [SUBDEF]
# An ending that is in the file already is not computed again.
set -eu
tables=${1:?folder of the exact tables}
subdef=${2:-subdef}
out=$(dirname "$0")/limits.csv
for file in "$tables"/K*.dtm.sdt; do
  ending=${file##*/} ending=${ending%%.*}
  if [ -f "$out" ] && grep -q "^$ending," "$out"; then continue; fi
  "$subdef" limits "$ending" --csv --codecs huffman,lzma,repair,obdd --tables "$tables" > "$out.new"
  if [ -f "$out" ]; then sed 1d "$out.new" >> "$out"; else cp "$out.new" "$out"; fi
done
rm -f "$out.new"
