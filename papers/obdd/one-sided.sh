#!/bin/sh
# The smallest WDL tables with 3 and 4 men that store one side to move: one-sided.sh TABLES WORK [SUBDEF] >one-sided.csv. Orders and
# numberings are those of papers/best-wdl-3-4.csv, the settings its own, and once more those of diagrams in up to 64 clusters. A table that
# is in WORK is kept. Some 15 minutes of CPU time.
set -eu
tables=${1:?path to the exact tables} work=${2:?folder for what is made} subdef=${3:-subdef}
list=$(cd "$(dirname "$0")" && pwd)/../best-wdl-3-4.csv
make () { # FOLDER OPTION...
  folder=$1
  shift
  "$subdef" reformat --men 4 --metric wdl --layouts "$list" --sides one --freedom all+evident --tables "$tables" -o "$work/$folder" -q "$@"
}
make list
make clusters --codec obdd --set polish=20,clusters=64
echo ending,list_bytes,clusters_bytes
for file in "$work"/list/*.wdl.sdt; do
  ending=$(basename "$file" .wdl.sdt)
  echo "$ending,$(wc -c <"$file"),$(wc -c <"$work/clusters/$ending.wdl.sdt")"
done
