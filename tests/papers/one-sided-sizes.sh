#!/bin/sh
# Compressed sizes of one-sided tables are pinned: all 35 endings with 3 and 4 men, results, RE-PAIR in blocks of 128 bytes, the side
# and the layout of papers/repair/wdl-one-sided-3-4.csv. Both sides of every position are restored and compared; no table may grow, and
# all together must stay below 420,000 bytes. A smaller size is told, so that the file can follow. parse=optimal is tried with some
# small endings, with SD_LONG_TESTS=1 with all 35.
set -eu
pinned=$SD_SRCDIR/papers/repair/wdl-one-sided-3-4.csv
tables=$SD_BUILDDIR/tests/tables
out=$SD_BUILDDIR/tests/papers/one-sided-sizes
subdef=$SD_BUILDDIR/tools/subdef

# settings, column of the pinned sizes, number of endings, which endings (none named: all of the file)
pin () {
  set_to=$1 column=$2 number=$3
  shift 3
  rm -rf "$out"
  for sides in white black; do
    order=2
    [ "$sides" = black ] && order=4
    endings=$(awk -F, -v order="$order" -v only=" $* " 'NR > 1 && $order != "" && (only == "  " || index (only, " " $1 " ")) {
      printf "%s ", $1 }' "$pinned")
    # shellcheck disable=SC2086 # a list of names
    [ -z "$endings" ] || "$subdef" reformat $endings --metric wdl --freedom all --codec repair --set "$set_to" --layouts "$pinned" --sides "$sides" \
      --tables "$tables" -o "$out" -q
  done
  "$subdef" list --tables "$out" --metric wdl --layouts | awk -F, -v pinned="$pinned" -v column="$column" -v number="$number" '
    BEGIN { while ((getline line < pinned) > 0) { split (line, f, ","); want[f[1]] = f[column] } }
    NR > 1 {
      n++; sum += $6; pinned_sum += want[$1]
      if (!($1 in want)) { print "FAIL " $1 " is not pinned"; bad = 1; next }
      if ($6 + 0 > want[$1] + 0) { print "FAIL " $1 " grew from " want[$1] " to " $6 " bytes"; bad = 1 }
      if ($6 + 0 < want[$1] + 0) print "smaller: " $1 " fell from " want[$1] " to " $6 " bytes; pin it"
    }
    END {
      print n " tables, " sum " bytes, pinned " pinned_sum
      if (n != number) { print "FAIL: expected " number " tables"; bad = 1 }
      if (sum > 420000) { print "FAIL: more than 420000 bytes"; bad = 1 }
      exit bad
    }'
}

if [ "${SD_LONG_TESTS:-0}" = 1 ]; then
  pin block=128,parse=optimal 7 35
else
  pin block=128,parse=optimal 7 5 KPvK KQQvK KRRvK KQvKQ KRvKR
fi
pin block=128 6 35
# what every other reader makes of one: the check of all values against their successors
"$subdef" verify "$out/KPvK.wdl.sdt" "$out/KRvKP.wdl.sdt" --tables "$out" > /dev/null
rm -rf "$out"
