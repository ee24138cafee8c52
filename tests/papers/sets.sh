#!/bin/sh
# Files of papers/sets/wdl-3-5.csv, of wdl-one-3-5.csv with one side to move, and of dtm-3-5.csv are made again from their lines: the same bytes and
# the same checksums of their values. Some endings with 3 and 4 men; all of these with SD_LONG_TESTS=1.
build=$(cd "${SD_BUILDDIR:-.}" && pwd) src=$(cd "${SD_SRCDIR:-.}" && pwd)
. "$src/tests/syzygy/checks.sh"
for name in wdl wdl-one dtm; do
  list=$src/papers/sets/$name-3-5.csv sides=both
  [ $name != wdl-one ] || sides=one
  names="KQvKR KRvKB KBNvK"
  # DTM is made of the endings without pawns
  [ "${SD_LONG_TESTS:-0}" != 1 ] || names=$(cut -d, -f1 "$list" | grep -v '^material\|^......')
  # shellcheck disable=SC2086
  check "$name: files of the list are made again" "$build/tools/subdef" set $names -m ${name%-one} --sides $sides --layouts "$list" -q -o $name
  sqlite3 -batch :memory: >lines <<SQL
.mode csv
.separator , "\n"
SELECT r->>'table', r->>'bytes', r->>'sum', r->'values'->0->>'checksum', r->'values'->1->>'checksum'
  FROM (SELECT value AS r FROM json_each (readfile ('$name/manifest.json'), '\$.files'));
SQL
  check "$name: there are lines" [ "$(grep -c . lines)" -ge 6 ]
  while IFS=, read -r ending bytes sum white black; do
    line=$(sqlite3 -batch :memory: ".mode csv" ".import '$list' list" \
      "SELECT material, bytes, sum, values_w, nullif (values_b, '') FROM list WHERE material = '$ending'")
    check "$name: $ending: bytes, checksum of the file, checksums of the values" [ "$line" = "$ending,$bytes,$sum,$white,$black" ]
  done <lines
done
checks_end
