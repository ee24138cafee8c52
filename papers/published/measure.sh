#!/bin/sh
# Everything that ours.csv says, measured, with papers/repair/history.csv and papers/obdd/gains.csv: measure.sh TABLES WORK [SUBDEF].
# TABLES: a path to the exact tables of all endings with 3 and 4 men and of KBBBvK, KNNNvK, KQQQvK and KRRRvK; WORK: a folder, in which a
# second run goes on where the first one stopped. Two CPU-hours.
set -eu
tables=${1:?path to the exact tables} work=${2:?folder for what is made} subdef=${3:-subdef}
papers=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$work"

# reformat FOLDER METRIC OPTION... : the endings of the list that the folder has not yet
endings="KBBvK KBNvK KBPvK KBvK KBvKB KBvKN KBvKP KNNvK KNPvK KNvK KNvKN KNvKP KPPvK KPvK KPvKP KQBvK KQNvK KQPvK KQQvK KQRvK KQvK KQvKB
  KQvKN KQvKP KQvKQ KQvKR KRBvK KRNvK KRPvK KRRvK KRvK KRvKB KRvKN KRvKP KRvKR"
reformat () {
  folder=$work/$1 metric=$2
  shift 2
  for ending in $endings; do
    [ -f "$folder/$ending.$metric.sdt" ] || "$subdef" reformat "$ending" --metric "$metric" --freedom all "$@" --tables "$tables" -o "$folder" -q
  done
}
reformat wdl wdl --codec obdd --layouts "$papers/obdd/wdl-two-streams-3-4.csv"
reformat lzma wdl --codec lzma --set block=16384 --layouts "$papers/repair/wdl-3-4.csv"
reformat dtm dtm --codec obdd --set sums=yes,choices=256,pairs=256,clusters=16 --layouts "$papers/obdd/dtm-3-4.csv"
"$subdef" sweep "$papers/published/measure.conf" --tables "$tables" -o "$work/measure.db"
"$subdef" sweep "$papers/obdd/gains.conf" --tables "$tables" -o "$work/gains.db"
# what pages keep of both sweeps
"$subdef" report "$work/measure.db" --query "$papers/repair/history-rows.sql" --format csv >"$work/history.csv"
"$subdef" report "$work/gains.db" --query "$papers/obdd/gains-rows.sql" --format csv >"$work/gains.csv"
cp "$work/history.csv" "$papers/repair/history.csv"
cp "$work/gains.csv" "$papers/obdd/gains.csv"
for folder in wdl lzma dtm; do
  "$subdef" info --json "$work/$folder"/*.sdt >"$work/$folder.json"
done
subdef_gen=$(dirname "$subdef")/subdef-gen
[ "$subdef_gen" != ./subdef-gen ] || subdef_gen=subdef-gen
"$subdef_gen" KRBNvKRB --estimate --ranks 2039 --json >"$work/estimate.json"
"$subdef_gen" --men 5 --estimate --json >"$work/estimate5.json"
sh "$papers/published/ours.sh" "$work" >"$papers/published/ours.csv.new"
mv "$papers/published/ours.csv.new" "$papers/published/ours.csv"
