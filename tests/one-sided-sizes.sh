#!/bin/sh
# Compressed sizes of one-sided tables are pinned: all 35 endings with 3 and 4 men, results, RE-PAIR in blocks of 128 bytes, the side
# and the layout of papers/repair/wdl-one-sided-3-4.csv. Both sides of every position are restored and compared; no table may grow, and
# all together must stay below 420,000 bytes. A smaller size is told, so that the file can follow.
set -eu
pinned=$SD_SRCDIR/papers/repair/wdl-one-sided-3-4.csv
tables=$SD_BUILDDIR/tests/tables
out=$SD_BUILDDIR/tests/one-sided-sizes
subdef=$SD_BUILDDIR/tools/subdef
rm -rf "$out"
for sides in white black; do
  column=2
  [ "$sides" = black ] && column=4
  endings=$(awk -F, -v column="$column" 'NR > 1 && $column != "" { printf "%s ", $1 }' "$pinned")
  # shellcheck disable=SC2086 # a list of names
  [ -z "$endings" ] || "$subdef" reformat $endings --metric wdl --codec repair --set block=128 --layouts "$pinned" --sides "$sides" \
    --tables "$tables" -o "$out" -q
done
"$subdef" list --tables "$out" --metric wdl --layouts | awk -F, -v pinned="$pinned" '
  BEGIN { while ((getline line < pinned) > 0) { split (line, f, ","); want[f[1]] = f[6] } }
  NR > 1 {
    n++; sum += $6; pinned_sum += want[$1]
    if (!($1 in want)) { print "FAIL " $1 " is not pinned"; bad = 1; next }
    if ($6 + 0 > want[$1] + 0) { print "FAIL " $1 " grew from " want[$1] " to " $6 " bytes"; bad = 1 }
    if ($6 + 0 < want[$1] + 0) print "smaller: " $1 " fell from " want[$1] " to " $6 " bytes; pin it"
  }
  END {
    print n " tables, " sum " bytes, pinned " pinned_sum
    if (n != 35) { print "FAIL: expected 35 tables"; bad = 1 }
    if (sum > 420000) { print "FAIL: more than 420000 bytes"; bad = 1 }
    exit bad
  }'
# what every other reader makes of one: the check of all values against their successors
"$subdef" verify "$out/KPvK.wdl.sdt" "$out/KRvKP.wdl.sdt" --tables "$out" > /dev/null
rm -rf "$out"
