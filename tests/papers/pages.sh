#!/bin/sh
# The pages of papers/ and the README: their figures are those that scripts print of the kept rows, no figure in their text is typed, and a
# figure that is changed or typed is found.
top=${SD_SRCDIR:-.}
command -v sqlite3 >/dev/null || { echo "no sqlite3"; exit 77; }
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
failures=0
fail () {
  echo "FAIL: $1"
  failures=$((failures + 1))
}

sh "$top/papers/pages.sh" -c >"$work/out" 2>&1 || fail "$(cat "$work/out")"
awk -f "$top/tests/papers/unmade.awk" "$top/papers/published/published.csv" "$top/README.md" "$top"/papers/README.md "$top"/papers/*/*.md \
  >"$work/out" || fail "$(cat "$work/out")"

# of kept rows papers/published/ours.csv says what they say
sh "$top/papers/published/ours.sh" | LC_ALL=C sort >"$work/kept"
LC_ALL=C sort "$top/papers/published/ours.csv" | LC_ALL=C comm -23 "$work/kept" - >"$work/out"
[ -s "$work/kept" ] && [ ! -s "$work/out" ] || fail "papers/published/ours.csv lacks $(cat "$work/out")"

# a copy in which one figure is another one, and one in which somebody types one
mkdir -p "$work/papers" "$work/tests"
cp -R "$top/papers/." "$work/papers" && cp -R "$top/tests/data" "$work/tests" && chmod -R u+w "$work" || exit 99
page=$work/papers/orders/README.md
sed 's/ larger than the best one/ smaller than the best one/' "$page" >"$work/page" && cp "$work/page" "$page"
sh "$work/papers/pages.sh" -c "$page" >"$work/out" && fail "a changed page goes unnoticed"
grep -q "^$page is not what its scripts print" "$work/out" || fail "pages.sh -c: $(cat "$work/out")"
sh "$work/papers/pages.sh" "$page" >"$work/out" || fail "pages.sh: $(cat "$work/out")"
cmp -s "$page" "$top/papers/orders/README.md" || fail "pages.sh does not write the page as it was"
for typed in '13 % smaller' '1,234 bytes' '2.97 times' 'takes 17 ns'; do
  { cat "$page"; echo "It is $typed."; } >"$work/typed.md"
  awk -f "$top/tests/papers/unmade.awk" "$top/papers/published/published.csv" "$work/typed.md" >"$work/out" && fail "'$typed' goes unnoticed"
done
printf '<!-- made: lost.sql -->\n<!-- end -->\n' >"$work/papers/orders/lost.md"
sh "$work/papers/pages.sh" "$work/papers/orders/lost.md" 2>"$work/out" && fail "a script that is not there goes unnoticed"
exit $((failures > 0))
