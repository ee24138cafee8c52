#!/bin/sh
# Compressed sizes are pinned: all 35 endings with 3 and 4 men, results, RE-PAIR in blocks of 128 bytes, in the layouts of
# papers/repair/wdl-3-4.csv, are recoded (every position restored and compared) and must not grow; each must be smaller than
# Syzygy's file and all together below the pinned sum. A smaller size is told, so that the file can follow.
set -eu
pinned=$SD_SRCDIR/papers/repair/wdl-3-4.csv
tables=$SD_BUILDDIR/tests/tables
out=$SD_BUILDDIR/tests/sizes
subdef=$SD_BUILDDIR/tools/subdef
rm -rf "$out"
"$subdef" reformat --men 4 --metric wdl --codec repair --set block=128 --layouts "$pinned" --tables "$tables" -o "$out" -q
"$subdef" list --tables "$out" --metric wdl --layouts | awk -F, -v pinned="$pinned" '
  BEGIN { while ((getline line < pinned) > 0) { split (line, f, ","); want[f[1]] = f[6]; syzygy[f[1]] = f[7] } }
  NR > 1 {
    n++; sum += $6; pinned_sum += want[$1]
    if (!($1 in want)) { print "FAIL " $1 " is not pinned"; bad = 1; next }
    if ($6 + 0 > want[$1] + 0) { print "FAIL " $1 " grew from " want[$1] " to " $6 " bytes"; bad = 1 }
    if ($6 + 0 > syzygy[$1] + 0) { print "FAIL " $1 " is larger than Syzygy: " $6 " against " syzygy[$1]; bad = 1 }
    if ($6 + 0 < want[$1] + 0) print "smaller: " $1 " fell from " want[$1] " to " $6 " bytes; pin it"
  }
  END {
    print n " tables, " sum " bytes, pinned " pinned_sum
    if (n != 35) { print "FAIL: expected 35 tables"; bad = 1 }
    exit bad
  }'
rm -rf "$out"
