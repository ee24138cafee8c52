#!/bin/sh
# Compressed sizes of distances are pinned: codec trees in blocks of at most 1 KiB, in the layouts of papers/repair/dtm-3-4.csv
# (every position restored and compared). The trees are grown with floating point, which processors and compilers round differently: a
# thousandth more passes. Four small endings, with SD_LONG_TESTS=1 all that the file holds (some 10 minutes of CPU time).
set -eu
pinned=$SD_SRCDIR/papers/repair/dtm-3-4.csv
tables=$SD_BUILDDIR/tests/tables
out=$SD_BUILDDIR/tests/papers/dtm-sizes
subdef=$SD_BUILDDIR/tools/subdef

endings="KPvK KQvK KRvK KQvKQ"
if [ "${SD_LONG_TESTS:-0}" = 1 ]; then
  endings=$(awk -F, 'NR > 1 { print $1 }' "$pinned")
fi
rm -rf "$out"
# shellcheck disable=SC2086
"$subdef" reformat $endings --metric dtm --freedom all --codec trees --set block=1024 --layouts "$pinned" --tables "$tables" -o "$out" -q
"$subdef" list --tables "$out" --metric dtm --layouts | awk -F, -v pinned="$pinned" -v number="$(echo $endings | wc -w)" '
  BEGIN { while ((getline line < pinned) > 0) { split (line, f, ","); want[f[1]] = f[6]; lzma[f[1]] = f[8] } }
  NR > 1 {
    n++; sum += $6
    if ($6 + 0 > want[$1] * 1.001) { print "FAIL " $1 " grew from " want[$1] " to " $6 " bytes"; bad = 1 }
    if (lzma[$1] > 3000 && $6 > 0.77 * lzma[$1]) { print "FAIL " $1 " is not a quarter smaller than LZMA: " $6 " against " lzma[$1]; bad = 1 }
    if ($6 + 0 < want[$1] + 0) print "smaller: " $1 " fell from " want[$1] " to " $6 " bytes; pin it"
  }
  END {
    print n " tables, " sum " bytes"
    if (n != number) { print "FAIL: expected " number " tables"; bad = 1 }
    exit bad
  }'
rm -rf "$out"
