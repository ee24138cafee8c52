#!/bin/sh
# Answers of subdef probe against exact values, at random positions with random half-move clocks (answers_check.c): from complete tables,
# from Syzygy files, whose plies are rounded, and from folders in which files are missing. SD_LONG_TESTS=1: 10,000 positions
# with clocks, and 100 folders.
set -u
check=$SD_BUILDDIR/tests/tools/answers_check
subdef=$SD_BUILDDIR/tools/subdef
work=$(mktemp -d "$SD_BUILDDIR/answers-XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0
export OMP_NUM_THREADS=1
mpi="env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ASAN_OPTIONS=detect_leaks=0"
three="KQvK KRvK KPvK" four=KQvKR n=60 folders=4
[ "${SD_LONG_TESTS:-0}" = 1 ] && n=3400 folders=100
for metric in dtm dtz50; do
  # shellcheck disable=SC2086
  $mpi "$SD_BUILDDIR/tools/subdef-gen" $three $four --metric $metric -q -o $metric >gen.txt 2>&1 || { cat gen.txt; exit 1; }
done
syzygy=${SD_SRCDIR:-$SD_BUILDDIR/..}/tests/golden/syzygy

# checks TITLE KIND TABLES POSITIONS SEED ENDING...
checks () {
  title=$1 kind=$2 tables=$3
  shift 3
  "$check" "$kind" dtz50 dtm "$tables" "$@" >out 2>&1 || { failed=1; echo "FAILED $title"; cat out; }
  echo "$title: $(tail -1 out)"
}
# shellcheck disable=SC2086
checks "exact plies to zeroing" exact dtz50 $n 1 $three $four
# shellcheck disable=SC2086
checks "exact plies to mate as well" exact dtz50:dtm $((n / 2)) 2 $three $four
# shellcheck disable=SC2086
checks "rounded plies" rounded "$syzygy" $n 3 $three
grep -q ' [1-9][0-9]* left open by rounding' out || { failed=1; echo "FAILED rounded plies: nothing is left open"; }

# half-downloaded: files of the endings below, one of the ending's own now and then, are not there
seed=1
for folder in $(seq "$folders"); do
  for ending in $three; do
    rm -rf half && mkdir half && cp "$syzygy"/*.rtb? half
    for file in $(awk -v seed=$seed -v own="$ending" 'BEGIN { srand(seed); while (("ls half" | getline f) > 0) if (rand() < (index(f, own ".") == 1 ? 0.1 : 0.4)) print f }'); do
      rm "half/$file"
    done
    "$check" partial dtz50 dtm half 6 $seed $ending >out 2>&1 || { failed=1; echo "FAILED folder $seed: $(ls half | tr '\n' ' ')"; cat out; }
    tail -1 out >>halves
    seed=$((seed + 1))
  done
done
awk '{ positions += $1; marked += $7; lines += $11; faults += $(NF - 1) } END {
  print "half-downloaded: " NR " folders, " positions " positions, " marked " moves marked best, " lines " lines, " faults " faults"; exit !(marked && lines) }' halves || failed=1
exit $failed
