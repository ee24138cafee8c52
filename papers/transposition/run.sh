#!/bin/sh
# Measures what a transposition table does in a search (README.md): run.sh TABLES [SUBDEF [FOLDER]]. Some minutes
# of CPU time. codes.csv, policies.csv and depth.csv come into FOLDER, else beside this script; a file that is
# there already in FOLDER is not measured again. NODES, POSITIONS: fewer, for tests.
set -eu
tables=${1:?folder of exact tables with 3 and 4 men} subdef=${2:-subdef} here=$(cd "$(dirname "$0")" && pwd)
folder=${3:-$here} nodes=${NODES:-5000000}
mkdir -p "$folder"

# bench FILE ARGUMENT...: what `subdef bench search` prints becomes FILE, unless that is there
bench () {
  file=$folder/$1
  shift
  [ "$folder" = "$here" ] || [ ! -s "$file" ] || return 0
  "$@" >"$file.new" || { rm -f "$file.new"; echo "run.sh: $file: no result" >&2; exit 1; }
  mv "$file.new" "$file"
}
codes () {
  for seed in 1 2 3 4; do
    "$subdef" bench search codes ${CODES:-KQvKR KRvKP} --nodes "$nodes" --seed $seed --tables "$tables" | {
      if [ $seed -eq 1 ]; then cat; else sed 1d; fi
    }
  done
}
policies () {
  "$subdef" bench search policies ${POLICIES:-KQvKR KRvKP} --count "${POSITIONS:-20}" --tables "$tables"
}
# from the opening to blocked pawns; the last one is a study position of Lasker and Reichhelm, 1901
depth () {
  "$subdef" bench search depth --nodes "$nodes" \
    'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1' \
    'r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w - - 0 1' \
    'r2q1rk1/ppp2ppp/2np1n2/2b1p1B1/2B1P1b1/2NP1N2/PPP2PPP/R2Q1RK1 w - - 0 1' \
    '8/2p2k2/8/8/8/8/2P2K2/8 w - - 0 1' \
    '8/2p2k2/8/8/8/8/PP3K2/8 w - - 0 1' \
    '8/8/1p1k4/1P1p4/1P1P4/3K4/8/8 w - - 0 1' \
    '8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1'
}
bench codes.csv codes
bench policies.csv policies
bench depth.csv depth
