#!/bin/sh
# The scripts of papers/: they measure and go on where they were; queries make the rows that are kept of those of sweeps. That the pages are
# what queries say of these rows is checked by pages.sh.
papers=${SD_SRCDIR:-.}/papers
folder=$papers/retrograde
subdef=${SD_BUILDDIR:-.}/tools/subdef
command -v sqlite3 >/dev/null || { echo "no sqlite3"; exit 77; }
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

# load balancing: the lines that a run makes
"${SD_BUILDDIR:-.}/tools/subdef-gen" KQvK -q -o "$work" >"$work/out" 2>&1 || fail "subdef-gen KQvK: exit $?"
COMMIT=test sh "$folder/balance.sh" -s "$subdef" -p "$work" -o "$work/d.csv" -e KQvK -k 100 -r 4,5 -q '1 0.01' || fail "balance.sh: exit $?"
[ "$(wc -l <"$work/d.csv")" -eq 17 ] || fail "balance.sh: $(wc -l <"$work/d.csv") lines, expected 17"
[ "$(head -1 "$work/d.csv")" = "$(head -1 "$folder/balance.csv")" ] || fail "balance.sh: other columns than those of balance.csv"
grep -q '^test,KQvK,100,0.01,5,mixed+balanced,,' "$work/d.csv" || fail "balance.sh: $(tail -1 "$work/d.csv")"
sh "$folder/balance.sh" -s false -o "$work/d.csv" && fail "balance.sh: a failed simulation goes unnoticed"
printf '{"ending":"KQRvKQ","mate_moves":67,"bytes":5,"white":{"positions":53157076,"won":1},"black":{"won":1}}\n' >"$work/five.json"
sh "$papers/ask.sh" "$folder/five-compared.sql" lines "$work/five.json" >"$work/five" 2>"$work/err" && fail "five-compared.sql: a wrong count goes unnoticed"
grep -q 'figures_that_differ' "$work/err" || fail "five-compared.sql: $(cat "$work/err")"
grep -q '^KQRvKQ,53157076,67,5,DIFFERS: .*w won: 1 here, ' "$work/five" || fail "five-compared.sql: $(cat "$work/five")"
"${SD_BUILDDIR:-.}/tools/subdef-gen" --men 4 --estimate --json >"$work/lines" || fail "subdef-gen --estimate: exit $?"
sh "$papers/ask.sh" "$folder/operations-sums.sql" lines "$work/lines" >"$work/sums" || fail "operations-sums.sql: exit $?"
sed 1q "$work/sums" | cmp -s - "$(sed 1q "$folder/operations.csv" >"$work/head"; echo "$work/head")" || fail "operations-sums.sql: other columns"
[ "$(cut -d, -f1-4 "$work/sums")" = "$(sed -n 1,3p "$folder/operations.csv" | cut -d, -f1-4)" ] || fail "operations-sums.sql: $(cat "$work/sums")"

# every published figure has ours beside it, or the reason why not; the page is made of these files
published=$papers/published
grep 'published figures: ' "$published/README.md" >"$work/tables"
awk '{ good = $1 >= 380 && $4 >= 400 && $1 == $4 + $7 && $13 == 0 } END { exit !good }' "$work/tables" || fail "papers/published: $(cat "$work/tables")"
sed -n 's/.*,test:\([^,]*\),.*/\1/p' "$published/published.csv" | sort -u | while IFS= read -r test; do
  [ -f "${SD_SRCDIR:-.}/$test" ] || echo "$test"
done >"$work/lost"
[ ! -s "$work/lost" ] || fail "papers/published names tests that are not there: $(cat "$work/lost")"

# what ours.sh prints of a folder that measure.sh left, here of a small one
mkdir "$work/ours"
for way in wdl:wdl:obdd lzma:wdl:lzma dtm:dtm:obdd; do
  of=${way%%:*} metric=${way#*:}
  "$subdef" reformat KQvK --metric "${metric%:*}" --codec "${way##*:}" --tables "$work" -o "$work/ours/$of" -q || fail "reformat $way: exit $?"
  "$subdef" info --json "$work/ours/$of"/*.sdt >"$work/ours/$of.json"
done
echo 'groups = ( { name = "run-length"; tables = "KQvK"; metric = "wdl"; codec = "rle"; } );' >"$work/ours/measure.conf"
"$subdef" sweep "$work/ours/measure.conf" --tables "$work" -o "$work/ours/measure.db" 2>"$work/err" || fail "sweep: $(cat "$work/err")"
"${SD_BUILDDIR:-.}/tools/subdef-gen" KRBNvKRB --estimate --ranks 2039 --json >"$work/ours/estimate.json"
cp "$work/ours/estimate.json" "$work/ours/estimate5.json"
sh "$published/ours.sh" "$work/ours" >"$work/tables" || fail "ours.sh: exit $?"
for line in 'wdl.KQvK.w,[0-9]*,bytes,"' 'dtm.all.file,[0-9]*,bytes,"' 'rle.KQvK.b,[0-9]*,bytes,"' 'runs_by_diagram,[0-9.]*,times,"' 'krbnvkrb.slots,992137445376,slots,"' \
  'repair_by_lzma.saved,' 'index.tight_by_square,[0-9.]*,%' 'generate.memory_5,[0-9.]*,GiB,'; do
  grep -q "^$line" "$work/tables" || fail "ours.sh has no line $line"
done
[ "$(cut -d, -f1 "$work/tables" | sort | uniq -d)" = "" ] || fail "ours.sh has two lines for one figure"

# transposition tables: what the script of the page measures
"${SD_BUILDDIR:-.}/tools/subdef-gen" KQvK -q -o "$work" >"$work/out" 2>&1 || fail "subdef-gen KQvK: exit $?"
NODES=20000 POSITIONS=1 CODES=KQvK POLICIES=KQvK sh "$papers/transposition/run.sh" "$work" "$subdef" "$work/transposition" || fail "transposition/run.sh: exit $?"
for file in codes policies depth; do
  sed 1q "$papers/transposition/$file.csv" | cmp -s - "$(sed 1q "$work/transposition/$file.csv" >"$work/head"; echo "$work/head")" \
    || fail "transposition/run.sh: other columns than those of $file.csv"
  [ "$(wc -l <"$work/transposition/$file.csv")" -ge 30 ] || fail "transposition/run.sh: $file.csv has $(wc -l <"$work/transposition/$file.csv") lines"
done
NODES=20000 sh "$papers/transposition/run.sh" nowhere false "$work/transposition" || fail "transposition/run.sh measures again what is there"

# the rule for piece orders; on a few endings, or on all, which must then be the table of its page
few='^(table|KRvKN|KQvKR|KRvKB|KQvKN),(metric|wdl)'
[ -z "${SD_LONG_TESTS:-}" ] || few=.
grep -E "$few" "$papers/orders/orders.csv" >"$work/orders.csv"
awk -F, -f "$papers/orders/rule.awk" "$work/orders.csv" >"$work/tables" || fail "rule.awk: exit $?"
grep -q '^| WDL | 4 men, each left out | [0-9]* | [0-9.]* % |' "$work/tables" || fail "rule.awk: $(cat "$work/tables")"
if [ -n "${SD_LONG_TESTS:-}" ]; then
  grep 'left out' "$work/tables" | while IFS= read -r line; do
    grep -qxF -e "$line" "$papers/orders/README.md" || echo "$line"
  done >"$work/lost"
  [ ! -s "$work/lost" ] || fail "the README of papers/orders does not have: $(cat "$work/lost")"
fi

# asked NAME STORE: what papers/NAME-rows.sql asks of a store
asked () {
  "$subdef" report "$work/$2.db" --query "$papers/$1-rows.sql" --format csv || fail "$1-rows.sql: exit $?"
}

# every query asks for the columns of the file that is kept
cat >"$work/rows.conf" <<'END'
groups = ( { name = "orders"; tables = "KQvK"; metric = ["wdl", "dtm"]; order = "all"; codec = "repair"; },
           { name = "codecs"; tables = "KQvK"; codec = ( { name = "lzma"; block = [1024, 16384]; initial = ["frequent", "left"]; },
             { name = "repair"; block = [128, 1024]; }, "obdd", { name = "obdd"; order = "pieces"; } ); } );
END
"$subdef" sweep "$work/rows.conf" --tables "$work" -o "$work/rows.db" 2>"$work/err" || fail "sweep: $(cat "$work/err")"
for query in "$papers"/*/*-rows.sql; do
  kept=${query%-rows.sql}
  name=${kept#"$papers"/}
  [ -f "$kept.csv" ] || kept=$kept-wdl
  asked "$name" rows >"$work/rows"
  sed 1q "$work/rows" | cmp -s - "$(sed 1q "$kept.csv" >"$work/head"; echo "$work/head")" || fail "$query: other columns: $(sed 1q "$work/rows")"
done
asked repair/codecs rows | grep -q '^KQvK,wdl,lzma,0,1024,frequent,[0-9]*$' || fail "codecs-rows.sql"
asked syzygy/metrics rows | grep -q '^KQvK,dtm,repair,[0-9]*,[0-9]*,[0-9]*$' || fail "metrics-rows.sql"
asked obdd/gains rows | grep -q '^wdl,order=pieces,KQvK,[0-9]*$' || fail "gains-rows.sql: $(asked obdd/gains rows)"

# the rows that are kept are those that their sweeps make, for one ending
repair=$papers/repair
for name in final huffman index; do
  "$subdef" sweep "$repair/$name.conf" --override tables=KQvK --tables "$work" -o "$work/$name.db" 2>"$work/err" \
    || fail "$name.conf: $(cat "$work/err")"
  asked "repair/$name" "$name" >"$work/rows"
  grep -c '^KQvK,' "$work/rows" | grep -qx '[1-9][0-9]*' || fail "$name-rows.sql: $(cat "$work/rows")"
  sed 1d "$work/rows" | while IFS= read -r line; do
    grep -qxF -e "$line" "$repair/$name.csv" || echo "$line"
  done >"$work/lost"
  [ ! -s "$work/lost" ] || fail "$name.csv does not have: $(cat "$work/lost")"
done

# final=longest and final=frequent write the same file, with the pairs of the default
for rule in longest frequent; do
  "$subdef" reformat KQvK --set "final=$rule" --tables "$work" -o "$work/$rule" -q || fail "reformat --set final=$rule: exit $?"
done
cmp -s "$work/longest/KQvK.wdl.sdt" "$work/frequent/KQvK.wdl.sdt" || fail "the final rules write other files"
exit $((failures > 0))
