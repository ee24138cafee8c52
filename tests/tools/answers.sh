#!/bin/sh
# Answers of subdef probe against exact values, at random positions with random half-move clocks (answers_check.c): from complete tables,
# from Syzygy files, whose plies are rounded, and from folders in which files are missing: WDL tables, DTM tables, DTZ50
# tables, Syzygy files, and all of these mixed. SD_LONG_TESTS=1: 100 folders of all endings with 4 men (SD_SYZYGY: the
# Syzygy files; else they are made), and, where SD_FIVE_TABLES names a folder with the exact dtz50 tables of KNNvKP and
# KQRvKQ and of what these turn into, 10,000 positions of these, which have cursed wins.
set -u
check=$SD_BUILDDIR/tests/tools/answers_check
subdef=$SD_BUILDDIR/tools/subdef
golden=$(cd "${SD_SRCDIR:-$SD_BUILDDIR/..}/tests/golden/syzygy" && pwd)
work=$(mktemp -d "$SD_BUILDDIR/answers-XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0
export OMP_NUM_THREADS=1
mpi="env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ASAN_OPTIONS=detect_leaks=0"
# endings: their tables are made; whole, rounded: positions in complete folders; missing: folders
endings="KQvK KRvK KPvK KQvKR" whole="KQvK KRvK KPvK KQvKR" missing="KPvK KQvKR KPvK KRvK KQvKR KQvKR KPvK KQvKR KPvK KQvKR" rounded="KQvK KRvK KPvK" positions=40 looks=12
if [ "${SD_LONG_TESTS:-0}" = 1 ]; then
  endings="--men 4" rounded=$whole positions=1000 looks=40
  missing=$("$subdef" gen --men 4 --estimate -o none | awk '$1 ~ /^K.*vK/ && length($1) == 5 { print $1 }')
fi

run () { "$@" >said.txt 2>&1 || { cat said.txt; exit 1; }; }
for metric in dtm dtz50; do
  # shellcheck disable=SC2086
  run $mpi "$SD_BUILDDIR/tools/subdef-gen" $endings --metric $metric -q -o $metric
done
# shellcheck disable=SC2086
run "$subdef" reformat $endings --metric wdl --codec rle --tables dtm -o wdl -q
mkdir syzygy
if [ "${SD_LONG_TESTS:-0}" = 1 ] && [ -n "${SD_SYZYGY:-}" ]; then
  cp "$SD_SYZYGY"/*.rtb? syzygy
else
  cp "$golden"/*.rtb? syzygy
  # shellcheck disable=SC2046
  [ "${SD_LONG_TESTS:-0}" != 1 ] || run "$subdef" export --syzygy syzygy --tables dtz50 -q $(cd dtz50 && ls | sed -n 's/\.dtz50\.sdt$//p')
fi

# checks TITLE KIND TABLES POSITIONS SEED ENDING...
checks () {
  title=$1 kind=$2 tables=$3
  shift 3
  "$check" "$kind" dtz50 dtm "$tables" "$@" >out 2>&1 || { failed=1; echo "FAILED $title"; cat out; }
  echo "$title: $(tail -1 out)"
}
# shellcheck disable=SC2086
{
  checks "exact plies to zeroing" exact dtz50 $positions 1 $whole
  checks "exact plies to mate as well" exact dtz50:dtm $positions 2 $whole
  checks "rounded plies" rounded syzygy $positions 3 $rounded
  grep -q ' [1-9][0-9]* left open by rounding' out || { failed=1; echo "FAILED rounded plies: nothing is left open"; }
  checks "rounded plies, and those to mate" rounded syzygy:dtm $positions 4 $rounded
}

# half OF ENDING SEED: a folder in which files of the endings below are missing, one of its own now and then
half () {
  rm -rf half && mkdir half
  case $1 in mixed) cp wdl/* dtm/* dtz50/* syzygy/* half ;; *) cp "$1"/* half ;; esac
  share=$([ "$1" = mixed ] && echo 0.6 || echo 0.4)
  for file in $(cd half && ls | awk -v seed="$3" -v own="$2" -v share="$share" 'BEGIN { srand(seed) } rand() < (index($0, own ".") == 1 ? share / 4 : share)'); do
    rm "half/$file"
  done
}
kinds="wdl dtm dtz50 syzygy mixed"
folder=0
while [ $folder -lt 100 ]; do
  for ending in $missing; do
    [ $folder -lt 100 ] || break
    # the kinds go round, and each ending meets another one in the next round
    # shellcheck disable=SC2086
    set -- $kinds
    shift $(((folder + folder / 30) % 5))
    folder=$((folder + 1))
    half "$1" "$ending" $folder
    "$check" partial dtz50 dtm half $looks $folder "$ending" >out 2>&1 || { failed=1; echo "FAILED folder $folder ($1, $ending): $(ls half | tr '\n' ' ')"; cat out; }
    echo "$1 $(tail -1 out)" >>halves
  done
  [ "${SD_LONG_TESTS:-0}" = 1 ] || break
done
for kind in $kinds; do
  awk -v kind="$kind" '$1 == kind { n++; positions += $2; marked += $12; lines += $16; faults += $(NF - 1) } END {
    print "half-downloaded, " kind ": " n " folders, " positions " positions, " marked " moves marked best, " lines " lines, " faults " faults"
    exit !(marked && lines + (kind == "wdl")) }' halves || { failed=1; echo "FAILED $kind: nothing is marked, or there is no line"; }
done

if [ "${SD_LONG_TESTS:-0}" = 1 ] && [ -n "${SD_FIVE_TABLES:-}" ]; then
  "$check" exact "$SD_FIVE_TABLES" - "$SD_FIVE_TABLES" 5000 101 KNNvKP KQRvKQ >out 2>&1 || { failed=1; echo "FAILED cursed wins"; cat out; }
  echo "cursed wins: $(tail -1 out)"
fi
exit $failed
