#!/bin/sh
# The scripts of papers/retrograde: they measure, go on where they were, and the tables of the README are those of its lines.
folder=${SD_SRCDIR:-.}/papers/retrograde
subdef=${SD_BUILDDIR:-.}/tools/subdef
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
failures=0
fail () {
  echo "FAIL: $1"
  failures=$((failures + 1))
}

COMMIT=test sh "$folder/run.sh" -s "$subdef" -o "$work/a.csv" -m 'two cores, busy' -l parallel,forward KQvK || fail "run.sh: exit $?"
[ "$(wc -l <"$work/a.csv")" -eq 3 ] || fail "run.sh: $(wc -l <"$work/a.csv") lines, expected 3"
grep -q '^test,two cores; busy,KQvK,forward,59136,20,11,0,7233418,[0-9.]*,[0-9.]*,[0-9.]*,4.00' "$work/a.csv" \
  || fail "run.sh: $(tail -1 "$work/a.csv")"
cp "$work/a.csv" "$work/b.csv"
sh "$folder/run.sh" -s false -o "$work/b.csv" -l parallel,forward KQvK || fail "run.sh measures again what is there"
cmp -s "$work/a.csv" "$work/b.csv" || fail "run.sh changes what is there"
sh "$folder/run.sh" -s false -o "$work/b.csv" KRvK 2>"$work/err" && fail "run.sh: a failed measurement goes unnoticed"
grep -q 'KRvK by parallel: no result' "$work/err" || fail "run.sh: $(cat "$work/err")"
cmp -s "$work/a.csv" "$work/b.csv" || fail "run.sh: a failed measurement leaves a line"
echo other >"$work/c.csv"
sh "$folder/run.sh" -s "$subdef" -o "$work/c.csv" KQvK 2>"$work/err" && fail "run.sh writes into a file that is not its own"

awk -f "$folder/report.awk" "$folder/s4-table.csv" "$folder/measured.csv" >"$work/tables" || fail "report.awk: exit $?"
[ "$(grep -c '^|' "$work/tables")" -eq 21 ] || fail "report.awk: $(grep -c '^|' "$work/tables") lines of tables"
while IFS= read -r line; do
  grep -qxF -e "$line" "$folder/README.md" || fail "the README of papers/retrograde does not have: $line"
done <"$work/tables"

# load balancing: the lines that a run makes, and the README's table from ours
"${SD_BUILDDIR:-.}/tools/subdef-gen" KQvK -q -o "$work" >"$work/out" 2>&1 || fail "subdef-gen KQvK: exit $?"
COMMIT=test sh "$folder/balance.sh" -s "$subdef" -p "$work" -o "$work/d.csv" -e KQvK -k 100 -r 4,5 -q '1 0.01' || fail "balance.sh: exit $?"
[ "$(wc -l <"$work/d.csv")" -eq 17 ] || fail "balance.sh: $(wc -l <"$work/d.csv") lines, expected 17"
[ "$(head -1 "$work/d.csv")" = "$(head -1 "$folder/balance.csv")" ] || fail "balance.sh: other columns than those of balance.csv"
grep -q '^test,KQvK,100,0.01,5,mixed+balanced,,' "$work/d.csv" || fail "balance.sh: $(tail -1 "$work/d.csv")"
sh "$folder/balance.sh" -s false -o "$work/d.csv" && fail "balance.sh: a failed simulation goes unnoticed"
awk -f "$folder/balance.awk" "$folder/balance.csv" >"$work/tables" || fail "balance.awk: exit $?"
[ "$(grep -c '^|' "$work/tables")" -ge 24 ] || fail "balance.awk: $(grep -c '^|' "$work/tables") lines of tables"
while IFS= read -r line; do
  grep -qxF -e "$line" "$folder/README.md" || fail "the README of papers/retrograde does not have: $line"
done <"$work/tables"
exit $((failures > 0))
