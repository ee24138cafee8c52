#!/bin/sh
# Measures what papers/ holds once more and draws its figures: papers.sh WORK [SUBDEF [full]]. `make papers` calls it.
# WORK: a folder for tables and stores; a run that was stopped goes on there. About half an hour on two cores; with `full`
# (make papers FULL=1) also what takes hours: the staircase, the front, limits, both indexes, table 1, generation.
# Tables and stores come into WORK, each list of figures beside its page in papers/: git shows what differs.
set -eu
work=${1:?folder for tables and stores} subdef=${2:-subdef} full=${3:-}
papers=$(cd "$(dirname "$0")" && pwd)
case $subdef in
  */*) subdef=$(cd "$(dirname "$subdef")" && pwd)/$(basename "$subdef") subdef_gen=$subdef-gen ;;
  *) subdef_gen=$subdef-gen ;;
esac
mkdir -p "$work/tables"
work=$(cd "$work" && pwd)
tables=$work/tables

# keep FOLDER NAME STORE: what papers/FOLDER/NAME-rows.sql asks of the rows of a sweep becomes papers/FOLDER/NAME.csv
keep () {
  "$subdef" report "$work/$3.db" --query "$papers/$1/$2-rows.sql" --format csv >"$papers/$1/$2.csv.new"
  mv "$papers/$1/$2.csv.new" "$papers/$1/$2.csv"
}
# sweep FOLDER SWEEP [NAME]: runs papers/FOLDER/SWEEP.conf and keeps its rows as NAME.csv
sweep () {
  "$subdef" sweep "$papers/$1/$2.conf" --tables "$tables" -o "$work/$2.db"
  keep "$1" "${3:-$2}" "$2"
}

"$subdef_gen" --men 4 -q -o "$tables"
"$subdef_gen" KBBBvK KNNNvK KQQQvK KRRRvK -q -o "$tables"
# what a transposition table does in a search
sh "$papers/transposition/run.sh" "$tables" "$subdef" "$work/transposition"
cp "$work/transposition/codes.csv" "$work/transposition/policies.csv" "$work/transposition/depth.csv" "$papers/transposition"
sh "$papers/repair/captures.sh" "$tables" "$work/captures" "$subdef" >"$work/captures.csv"
cp "$work/captures.csv" "$papers/repair/captures.csv"
sh "$papers/published/measure.sh" "$tables" "$work" "$subdef"

sweep repair final
sweep repair access
sweep repair ternary
sweep repair huffman
sweep obdd kristensen steps
for ending in KQvK KRvK KPvK KQvKR KRvKP KBNvK KRvKN; do
  [ -f "$work/$ending.bin" ] || "$subdef" dump "$ending" "$work/$ending.bin" --tables "$tables"
done
if command -v python3 >/dev/null; then
  (cd "$work" && python3 "$papers/repair/width.py" KQvK.bin KRvK.bin KPvK.bin KQvKR.bin KRvKP.bin KBNvK.bin KRvKN.bin) >"$work/width.csv"
  cp "$work/width.csv" "$papers/repair/width.csv"
fi
# metrics under the 50-move rule are made from other exact tables than WDL and DTM
"$subdef_gen" --men 4 --metric dtz50 -q -o "$work/dtz50"
"$subdef" sweep "$papers/syzygy/metrics.conf" --tables "$tables" -o "$work/metrics.db"
"$subdef" sweep "$papers/syzygy/metrics-50.conf" --tables "$work/dtz50" -o "$work/metrics-50.db"
"$subdef" sweep --merge "$work/metrics.db" "$work/metrics-50.db" -o "$work/both.db"
keep syzygy metrics both
# cold probes need a program of the build: make papers/repair/cold
if [ -x "${COLD:-}" ]; then
  sh "$papers/repair/cold.sh" "$tables" "$work/cold" "$COLD" "$subdef" >"$work/cold.csv"
  cp "$work/cold.csv" "$papers/repair/cold.csv"
else
  echo "papers.sh: COLD names no program; cold.csv stays as it is" >&2
fi

if [ -n "$full" ]; then
  sweep repair index
  sweep repair table1
  sweep staircase staircase
  "$subdef_gen" KBBvKN -q -o "$tables"
  sweep front front
  sh "$papers/limits/run.sh" "$tables" "$subdef" "$work/limits.csv"
  cp "$work/limits.csv" "$papers/limits/limits.csv"
  sh "$papers/retrograde/run.sh" -s "$subdef" -o "$work/measured.csv"
  "$subdef_gen" KQRvKQ -q -o "$tables"
  for n in 1 64 4096; do
    "$subdef_gen" --men 7 --estimate --ranks $n --json
  done >"$work/operations.json"
  sh "$papers/ask.sh" "$papers/retrograde/operations-sums.sql" lines "$work/operations.json" >"$work/operations.csv"
  cp "$work/operations.csv" "$papers/retrograde/operations.csv"
  sh "$papers/retrograde/imbalance.sh" -s "$subdef" -p "$tables" -o "$papers/retrograde"
  sh "$papers/retrograde/balance.sh" -s "$subdef" -p "$tables" -o "$work/balance.csv"
fi
sh "$papers/figures.sh"
