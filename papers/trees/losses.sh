#!/bin/sh
# All DTM tables with 3 and 4 men that store losses only: losses.sh TABLES WORK [SUBDEF] >losses.csv. The layouts are those of
# papers/best-dtm-3-4.csv; the bytes of each file as a forest, and as diagrams. A table that is in WORK is kept. Some 40 minutes of CPU time.
set -eu
tables=${1:?path to the exact tables} work=${2:?folder for what is made} subdef=${3:-subdef}
list=$(cd "$(dirname "$0")" && pwd)/../best-dtm-3-4.csv
make () { # CODEC SETTINGS
  "$subdef" reformat --men 4 --metric dtm --layouts "$list" --freedom all+won --codec "$1" --set "$2" --tables "$tables" -o "$work/$1" -q
}
make forest block=8192,trees=20,leaves=600,samples=16000,groups=no
make obdd sums=yes,choices=256,pairs=256
echo ending,forest_bytes,diagram_bytes
for file in "$work"/forest/*.dtm.sdt; do
  ending=$(basename "$file" .dtm.sdt)
  echo "$ending,$(wc -c <"$file"),$(wc -c <"$work/obdd/$ending.dtm.sdt")"
done
