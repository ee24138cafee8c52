#!/bin/sh
# Sizes of exported Syzygy files beside the public ones, as CSV: exported.sh DIR SIZES > exported.csv
#   subdef-gen --men 4 --metric dtz50 -q -o exact
#   subdef reformat --to rtbw,rtbz --men 4 --tables exact -o DIR
# SIZES has lines material,rtbw_bytes,rtbz_bytes,... of the public files.
[ $# -eq 2 ] || { echo "usage: $0 DIR SIZES" >&2; exit 2; }
echo 'ending,metric,bytes,public'
grep -v '^#' "$2" | while IFS=, read -r ending wdl dtz rest; do
  [ ! -f "$1/$ending.rtbw" ] || echo "$ending,wdl50,$(wc -c < "$1/$ending.rtbw"),$wdl"
  [ ! -f "$1/$ending.rtbz" ] || echo "$ending,dtz50,$(wc -c < "$1/$ending.rtbz"),$dtz"
done
