#!/bin/sh
# A checkpoint made by one number of ranks is taken up by another, stopped, taken up again; a damaged file of one rank is found.
command -v mpirun >/dev/null || exit 77
. "${SD_SRCDIR:-.}/tests/gen/ranks.sh"
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
status=0

# run RANKS BORDER EXPRESSION...: each must be found in what it prints
run () {
  n=$1 border=$2
  shift 2
  mpirun -np "$n" "${SD_BUILDDIR:-.}/tests/gen/mpi_checkpoint" "$work/c" "$border" >"$work/out" 2>&1 || status=1
  for e in "$@"; do
    grep -q "$e" "$work/out" || { echo "FAIL: $n ranks, border $border: nothing says: $e"; cat "$work/out"; status=1; }
  done
}
run 4 3 "4 ranks: stopped, 0 wrong"
[ "$(ls "$work/c" | wc -l)" -eq 5 ] || { echo "FAIL: 4 ranks leave $(ls "$work/c" | tr '\n' ' ')"; status=1; }
run 3 2 "resumed at ply 3 .*made by 4 ranks" "3 ranks: stopped, 0 wrong"
[ "$(ls "$work/c" | wc -l)" -eq 4 ] || { echo "FAIL: 3 ranks leave $(ls "$work/c" | tr '\n' ' ')"; status=1; }
run 1 1 "resumed at ply 6 .*made by 3 ranks" "1 ranks: stopped, 0 wrong"
run 6 0 "resumed at ply 8 .*made by 1 rank" "6 ranks: stopped, 0 wrong"
run 4 1 "resumed at ply 9 .*made by 6 ranks" "4 ranks: stopped, 0 wrong"
cp -r "$work/c" "$work/sound"
run 4 100000 "resumed at ply 11 .*made by 4 ranks" "4 ranks: solved, 0 wrong"
rm -r "$work/c"
cp -r "$work/sound" "$work/c"
run 3 100000 "resumed at ply 11 .*made by 4 ranks" "3 ranks: solved, 0 wrong"
# the manifest, which only rank 0 reads
rm -r "$work/c"
cp -r "$work/sound" "$work/c"
printf '\125' | dd of="$work/c/manifest" bs=1 seek=44 conv=notrunc 2>/dev/null
run 3 100000 "from the beginning, .*manifest: checksum differs" "3 ranks: solved, 0 wrong"
# a file that is not there
rm -r "$work/c"
cp -r "$work/sound" "$work/c"
rm "$work"/c/*.1
run 2 100000 "from the beginning, .*\.1: cannot be read" "2 ranks: solved, 0 wrong"
# one byte in the last block of rank 2's file
rm -r "$work/c"
mv "$work/sound" "$work/c"
printf '\125' | dd of="$(ls "$work"/c/*.2)" bs=1 seek=500000 conv=notrunc 2>/dev/null
run 3 100000 "from the beginning, .*\.2: block 0: checksum differs" "3 ranks: solved, 0 wrong"
exit $status
