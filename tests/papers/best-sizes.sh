#!/bin/sh
# The lists of the smallest tables that are known (papers/best-*.csv): tables are made by their lines (every position restored and
# compared) and must not grow; a smaller one is told, so that the list can follow. Some of each list, with SD_LONG_TESTS=1 all with 3
# and 4 men (hours for DTM). The tables with 5 men take long: SD_FIVE_TABLES=DIR[:DIR] names folders with their exact dtm tables and
# those of all smaller endings; those without pawns that are found there are made, with SD_LONG_TESTS=1 those with pawns, too.
set -eu
papers=$SD_SRCDIR/papers
out=$SD_BUILDDIR/tests/papers/best-sizes
subdef=$SD_BUILDDIR/tools/subdef
long=${SD_LONG_TESTS:-0}
rm -rf "$out"

# METRIC LIST TABLES ENDING...
pin () {
  metric=$1 list=$2 tables=$3
  shift 3
  "$subdef" reformat "$@" --metric "$metric" --layouts "$list" --tables "$tables" -o "$out" -q
  for ending in "$@"; do
    is=$(wc -c <"$out/$ending.$metric.sdt")
    bytes=$(sqlite3 -batch :memory: ".import --csv '$list' best" "SELECT bytes FROM best WHERE material = '$ending'")
    if [ "$is" -gt "$bytes" ]; then
      echo "FAIL $metric $ending grew from $bytes to $is bytes"
      exit 1
    fi
    [ "$is" -eq "$bytes" ] || echo "smaller: $metric $ending fell from $bytes to $is bytes; pin it"
    echo "$metric $ending: $is bytes"
  done
}

for metric in wdl dtm; do
  list=$papers/best-$metric-3-4.csv
  endings='KBvK KNvK KPvK KQvK KRvK KBvKN KNNvK'
  [ "$metric" = dtm ] || endings="$endings KQvKQ"
  [ "$long" != 1 ] || endings=$(sed 1d "$list" | cut -d, -f1)
  # shellcheck disable=SC2086
  pin $metric "$list" "$SD_BUILDDIR/tests/tables" $endings
done

list=$papers/best-wdl-5.csv
for ending in $(sed 1d "$list" | cut -d, -f1); do
  [ -n "${SD_FIVE_TABLES:-}" ] || break
  case $ending in *P*) [ "$long" = 1 ] || continue ;; esac
  "$subdef" list --tables "$SD_FIVE_TABLES" --metric dtm --layouts | grep -q "^$ending," || continue
  pin wdl "$list" "$SD_FIVE_TABLES" "$ending"
done
rm -rf "$out"
