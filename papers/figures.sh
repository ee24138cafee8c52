#!/bin/sh
# Draws all figures of papers/ from the CSV files beside them: figures.sh [FOLDER]. FOLDER: where they go, instead of beside the files.
set -eu
papers=$(cd "$(dirname "$0")" && pwd)
out=${1:-}
command -v gnuplot >/dev/null || { echo "figures.sh: no gnuplot, no figures" >&2; exit 77; }
[ -z "$out" ] || { mkdir -p "$out"; out=$(cd "$out" && pwd); }

cd "$papers/repair"
gnuplot -c blocks.gp history.csv ../published/published.csv "${out:-.}/blocks.svg"
gnuplot -c access.gp access.csv cold.csv "${out:-.}/access.svg"
cd "$papers/retrograde"
gnuplot -e "csv = 'balance.csv'; out = '${out:-.}/balance'" balance.gp
cd "$papers/limits"
gnuplot -e "csv = 'limits.csv'; out = '${out:-.}/ladder.svg'" ladder.gp
cd "$papers/transposition"
gnuplot -c policies.gp policies.csv "${out:-.}/policies.svg"
