#!/bin/sh
# Prints ours.csv: ours.sh [WORK], of the rows that are kept beside the pages, and of what measure.sh left in the folder WORK.
set -eu
papers=$(cd "$(dirname "$0")/.." && pwd)
kept=
for file in retrograde/kristensen retrograde/operations retrograde/measured retrograde/balance repair/table1-5 repair/orders-wdl \
  repair/captures repair/wdl-3-4 repair/wdl-one-sided-3-4 staircase/staircase obdd/wdl-3-4 obdd/five obdd/unreachable \
  obdd/unreachable-variants syzygy/positions syzygy/metrics transposition/codes transposition/depth; do
  kept="$kept ../$file.csv"
done
measured=
[ $# -eq 0 ] || { work=$(cd "$1" && pwd); measured=$(printf ' %s' "$work/"wdl.json "$work/"lzma.json "$work/"dtm.json \
  "$work/"estimate.txt "$work/"estimate5.txt "$work/"measure/cells.csv "$work/"gains/cells.csv); }
cd "$papers/published"
# shellcheck disable=SC2086
awk -f ../columns.awk -f ours.awk $measured $kept | { read -r head; echo "$head"; LC_ALL=C sort; }
