#!/bin/sh
# Draws all figures of papers/ from the CSV files beside them, which queries ask (NAME-figure.sql): figures.sh [FOLDER]. FOLDER: where they
# go, instead of beside the files.
# Their style is that of reports (experiments/report/figures/style.gp). gnuplot must say nothing: what it says is a fault.
set -eu
export LC_ALL=C.UTF-8
papers=$(cd "$(dirname "$0")" && pwd)
out=${1:-}
for program in gnuplot sqlite3; do
  command -v "$program" >/dev/null || { echo "figures.sh: no $program, no figures" >&2; exit 77; }
done
[ -z "$out" ] || { mkdir -p "$out"; out=$(cd "$out" && pwd); }

# draw FOLDER SCRIPT [COMMANDS]: runs papers/FOLDER/SCRIPT.gp in its folder, after some commands of gnuplot, and once more for a phone
draw () {
  cd "$papers/$1"
  for width in '' 'NARROW = 1; '; do
    said=$(gnuplot -d -e "OUT = '${out:-.}'; $width${3:-}" "$2.gp" 2>&1) && [ -z "$said" ] || {
      printf '%s\n' "figures.sh: papers/$1/$2.gp: ${said:-failed}" >&2
      exit 1
    }
  done
}

for table in KPvK_dtm KRvKP_wdl KRvKP_dtm KQvKR_dtm KBBBvK_dtm KBBvKN_wdl; do
  draw front front "ENDING = '${table%_*}'; METRIC = '${table#*_}'"
done
draw limits ladder
draw obdd sizes
draw orders orders
draw probes medians
draw published ratios
draw repair access
draw repair blocks
draw retrograde balance "PART = 'speed'"
draw retrograde balance "PART = 'efficiency'"
draw retrograde imbalance
draw staircase staircase
draw syzygy shares
draw transposition policies
