#!/bin/sh
# Compressed sizes are pinned: all 35 endings with 3 and 4 men, results, RE-PAIR in blocks of 128 bytes, in the layouts of
# papers/repair/wdl-3-4.csv, are recoded (every position restored and compared) and must not grow; each must be smaller than
# Syzygy's file and all together below the pinned sum. A smaller size is told, so that the file can follow. parse=optimal is
# tried with six small endings, with SD_LONG_TESTS=1 with all 35.
set -eu
pinned=$SD_SRCDIR/papers/repair/wdl-3-4.csv
tables=$SD_BUILDDIR/tests/tables
out=$SD_BUILDDIR/tests/papers/sizes
subdef=$SD_BUILDDIR/tools/subdef

# settings, column of the pinned sizes, number of endings, which endings
pin () {
  set_to=$1 column=$2 number=$3
  shift 3
  rm -rf "$out"
  "$subdef" reformat "$@" --metric wdl --freedom all --codec repair --set "$set_to" --layouts "$pinned" --tables "$tables" -o "$out" -q
  "$subdef" list --tables "$out" --metric wdl --layouts | awk -F, -v pinned="$pinned" -v column="$column" -v number="$number" '
    BEGIN { while ((getline line < pinned) > 0) { split (line, f, ","); want[f[1]] = f[column]; syzygy[f[1]] = f[7] } }
    NR > 1 {
      n++; sum += $6; pinned_sum += want[$1]
      if (!($1 in want)) { print "FAIL " $1 " is not pinned"; bad = 1; next }
      if ($6 + 0 > want[$1] + 0) { print "FAIL " $1 " grew from " want[$1] " to " $6 " bytes"; bad = 1 }
      if ($6 + 0 > syzygy[$1] + 0) { print "FAIL " $1 " is larger than Syzygy: " $6 " against " syzygy[$1]; bad = 1 }
      if ($6 + 0 < want[$1] + 0) print "smaller: " $1 " fell from " want[$1] " to " $6 " bytes; pin it"
    }
    END {
      print n " tables, " sum " bytes, pinned " pinned_sum
      if (n != number) { print "FAIL: expected " number " tables"; bad = 1 }
      exit bad
    }'
  rm -rf "$out"
}

pin block=128 6 35 --men 4
if [ "${SD_LONG_TESTS:-0}" = 1 ]; then
  pin block=128,parse=optimal 8 35 --men 4
else
  pin block=128,parse=optimal 8 6 KPvK KQQvK KQRvK KRRvK KRBvK KRNvK
fi
