#!/bin/sh
# Sizes of results of endings with 5 men are pinned in papers/repair/wdl-5.csv: layout, settings, bytes. Their exact tables take too
# long to make here; SD_FIVE_TABLES=DIR[:DIR] names folders with their dtm tables and those of all smaller endings. Then the endings
# without pawns found there are recoded, every position restored and compared (some 25 CPU-seconds each), and must not grow; with
# SD_LONG_TESTS=1 those with pawns, too (half an hour and 6 GB each). Without the folders only the file itself is checked: each
# ending once, each smaller than Syzygy's.
set -eu
pinned=$SD_SRCDIR/papers/repair/wdl-5.csv
out=$SD_BUILDDIR/tests/papers/five-sizes
subdef=$SD_BUILDDIR/tools/subdef

awk -F, '
  NR > 1 {
    if (NF != 8 || seen[$1]++ || $6 + 0 <= 0) { print "FAIL: line " NR ": " $0; bad = 1 }
    if ($6 + 0 >= $7 + 0) { print "FAIL " $1 " is larger than Syzygy: " $6 " against " $7; bad = 1 }
    sum += $6; syzygy += $7
  }
  END { printf "%d endings, %d bytes, Syzygy %d: %.3f\n", NR - 1, sum, syzygy, sum / syzygy; exit bad }' "$pinned"
[ -n "${SD_FIVE_TABLES:-}" ] || exit 0

rm -rf "$out"
mkdir -p "$out"
tail -n +2 "$pinned" | while IFS=, read -r name _ _ _ _ bytes _ settings; do
  case $name in *P*) [ "${SD_LONG_TESTS:-0}" = 1 ] || continue ;; esac
  "$subdef" list --tables "$SD_FIVE_TABLES" --metric dtm --layouts | grep -q "^$name," || continue
  "$subdef" reformat "$name" --metric wdl --freedom all --codec repair --set "$(echo "$settings" | tr ';' ',')" --layouts "$pinned" \
    --tables "$SD_FIVE_TABLES" -o "$out" -q
  is=$(wc -c < "$out/$name.wdl.sdt")
  if [ "$is" -gt "$bytes" ]; then
    echo "FAIL $name grew from $bytes to $is bytes"
    exit 1
  fi
  [ "$is" -eq "$bytes" ] || echo "smaller: $name fell from $bytes to $is bytes; pin it"
  echo "$name: $is bytes, pinned $bytes" | tee -a "$out/done"
done
[ -s "$out/done" ] || { echo "FAIL: none of the endings is in $SD_FIVE_TABLES"; exit 1; }
rm -rf "$out"
