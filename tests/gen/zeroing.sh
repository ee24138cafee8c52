#!/bin/sh
# Plies to zeroing under the 50-move rule: counts and longest wins of endings as Syzygy publishes them, the same bytes from several ranks and
# from a run that was cut short, tables of both metrics with their freedom restored and verified.
set -u
bin=${SD_BUILDDIR:-.}
. "${SD_SRCDIR:-.}/tests/gen/ranks.sh"
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
failures=0
fail () { echo "FAIL $*"; failures=$((failures + 1)); }
gen () { "$bin/tools/subdef-gen" --metric dtz50 --quiet "$@"; }
gen KPvKP --json -o "$work/all" >"$work/json" || fail "KPvKP is not generated"
# ENDING SIDE won cursed drawn blessed lost longest
expect () {
  got=$(sed -n "s/^{\"ending\":\"$1\",.*\"$2\":{\"positions\":[0-9]*,\"won\":\([0-9]*\),\"drawn\":\([0-9]*\),\"lost\":\([0-9]*\),\"cursed\":\([0-9]*\),\"blessed\":\([0-9]*\),\"longest_win_plies\":\([0-9]*\),\"longest_loss_plies\":\([0-9]*\)}.*/\1 \4 \2 \5 \3 \6 \7/p" "$work/json")
  shift 2
  [ "$got" = "$*" ] || fail "expected '$*', got '$got'"
}
expect KQvK white 18081 0 0 0 0 19 0
expect KPvK white 62480 0 19184 0 0 19 0
expect KPvK black 0 0 35210 0 48802 0 20
expect KPvKP white 1606514 0 1242545 0 868985 21 20
[ "$(ls "$work/all"/*.dtz50.sdt | wc -l)" -eq "$(wc -l <"$work/json")" ] || fail "files and lines differ in number"

# The script that compares counts with published ones agrees, and notices a figure that is another one.
if command -v python3 >/dev/null; then
  counts=${SD_SRCDIR:-.}/tests/data/wdl-counts.csv
  sed 's/^KQvKP,b,\([0-9]*\)/KQvKP,b,1\1/' "$counts" >"$work/other.csv"
  for ending in KPvK KQvKP; do
    "$bin/tools/subdef" info --statistics --json "$work/all/$ending.dtz50.sdt" >"$work/info" 2>"$work/out" || fail "info $ending"
    python3 "${SD_SRCDIR:-.}/papers/syzygy/cursed.py" "$counts" <"$work/info" >"$work/out" || fail "$ending: published counts"
  done
  python3 "${SD_SRCDIR:-.}/papers/syzygy/cursed.py" "$work/other.csv" <"$work/info" >"$work/out" && fail "another count is not noticed"
fi

# A pawn move leads from one part of the ending to another: ranks hand over what they know.
if command -v mpirun >/dev/null; then
  mkdir "$work/two" "$work/three"
  for f in "$work"/all/*; do
    case $f in */KPvKP*) ;; *) ln "$f" "$work/two"; ln "$f" "$work/three" ;; esac
  done
  mpirun -np 2 "$bin/tools/subdef-gen" --metric dtz50 -q KPvKP -o "$work/two" >"$work/out" 2>&1 || fail "two ranks"
  mpirun -np 3 "$bin/tools/subdef-gen" --metric dtz50 -q KPvKP --mixing plain --balance 2:0.001 -o "$work/three" >"$work/out" 2>&1 ||
    fail "three ranks"
  for n in two three; do
    cmp "$work/all/KPvKP.dtz50.sdt" "$work/$n/KPvKP.dtz50.sdt" || fail "$n ranks make another table"
  done
fi

mkdir "$work/small"
for metric in "wdl50" "dtz50" "dtz50 --sides one --coding signed" "dtz50 --sides black"; do
  "$bin/tools/subdef" reformat KPvK --metric $metric --tables "$work/all" -f -o "$work/small" >"$work/out" 2>&1 || { fail "reformat $metric"; cat "$work/out"; }
  "$bin/tools/subdef" verify --tables "$work/small:$work/all" "$work/small/KPvK.${metric%% *}.sdt" >"$work/out" 2>&1 || { fail "verify $metric"; cat "$work/out"; }
done
"$bin/tools/subdef" reformat KPvK --metric wdl50 --sides white --tables "$work/all" -f -o "$work/small" >"$work/out" 2>&1 &&
  fail "WDL50 does not follow from one ply"
# a smaller ending of which one side is stored is restored whole
mkdir "$work/one"
for words in "dtz50 --sides one" wdl50; do
  "$bin/tools/subdef" reformat KQvK --metric $words --tables "$work/all" -q -o "$work/one" >"$work/out" 2>&1 || { fail "KQvK $words"; cat "$work/out"; }
done
gen KQvKQ -o "$work/one" >"$work/out" 2>&1 || { fail "from one side"; cat "$work/out"; }
cmp "$work/all/KQvKQ.dtz50.sdt" "$work/one/KQvKQ.dtz50.sdt" || fail "from one side another table is made"
"$bin/tools/subdef-gen" --metric wdl50 KQvK -o "$work/x" >"$work/out" 2>&1 && fail "WDL50 is made of DTZ50, not solved"
"$bin/tools/subdef-gen" --metric dtz50 --game draughts KvK -o "$work/x" >"$work/out" 2>&1 && fail "draughts has no such rule"
"$bin/tools/subdef-gen" --metric dtz50 --solver forward KQvK -o "$work/x" >"$work/out" 2>&1 && fail "forward knows plies alone"
echo "$failures failures"
[ "$failures" -eq 0 ]
