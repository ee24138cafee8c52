#!/bin/sh
# Lists of codecs that are written by hand name every row of codecs/codecs.def, with its number: docs/format.md, and for each codec a
# golden file, so that what it writes is read for ever.
set -u
failures=0 rows=0
fail () { echo "FAIL $*"; failures=$((failures + 1)); }
rows_of () { sed -n 's/^SD_CODEC(\([a-z0-9]*\), \([0-9]*\),.*/\1 \2/p' "$SD_SRCDIR/codecs/codecs.def"; }
for row in $(rows_of | tr ' ' =); do
  name=${row%=*} number=${row#*=} rows=$((rows + 1))
  grep -q "^| $number | \`$name\` | 7\.[1-9] |\$" "$SD_SRCDIR/docs/format.md" || fail "docs/format.md: codec $number \`$name\` is missing"
  grep -q "codec $name\b" "$SD_SRCDIR/tests/golden/README.md" || fail "tests/golden/README.md: no file of codec $name"
done
[ "$(rows_of | cut -d' ' -f2 | sort -un | wc -l)" -eq "$rows" ] || fail "codecs/codecs.def: two codecs have one number"
[ "$(rows_of | cut -d' ' -f2)" = "$(rows_of | cut -d' ' -f2 | sort -n)" ] || fail "codecs/codecs.def: not by rising number"
next=$(($(rows_of | cut -d' ' -f2 | tail -n 1) + 1))
grep -q "SD_CODEC(bytes, $next, " "$SD_SRCDIR/CONTRIBUTING.md" || fail "CONTRIBUTING.md: the next codec has the number $next"
echo "$rows codecs, $failures failures"
[ "$rows" -gt 0 ] && [ "$failures" -eq 0 ]
