#!/bin/sh
# The figures of papers/: each script draws without a word, all in one style; the files beside the pages are those that the scripts make
# from the CSV files; each stands on its page; no name is cut or covered, no entry of a legend is without marks. Without gnuplot or sqlite3: 77.
source=${SD_SRCDIR:-.}
for program in gnuplot sqlite3; do
  command -v "$program" >/dev/null || { echo "no $program here"; exit 77; }
done
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
failures=0
fail () {
  echo "FAIL: $1"
  failures=$((failures + 1))
}

LC_ALL=C sh "$source/papers/figures.sh" "$work/figures" >"$work/said" 2>&1 || fail "figures.sh: exit $?: $(cat "$work/said")"
[ ! -s "$work/said" ] || fail "figures.sh says: $(cat "$work/said")"
for kept in "$source"/papers/*/*.svg; do
  folder=$(basename "$(dirname "$kept")") name=$(basename "$kept")
  drawn=$work/figures/$name
  grep -q "\"$name\"" "$source/papers/$folder/"*.md || fail "the page of papers/$folder does not show $name"
  [ -s "$drawn" ] || { fail "no script draws papers/$folder/$name"; continue; }
  # other versions of gnuplot round otherwise: then only the marks and the words are counted
  if [ "$(grep '<desc>' "$kept")" = "$(grep '<desc>' "$drawn")" ]; then
    cmp -s "$kept" "$drawn" || fail "papers/$folder/$name is not what its CSV files make: $(diff "$kept" "$drawn" | head -4)"
  else
    for what in '<use ' '<text>'; do
      [ "$(grep -c "$what" "$kept")" -eq "$(grep -c "$what" "$drawn")" ] || fail "papers/$folder/$name: other marks than its CSV files make"
    done
  fi
done
[ "$(ls "$work/figures" | wc -l)" -eq "$(ls "$source"/papers/*/*.svg | wc -l)" ] || fail "a figure that is drawn is not kept: $(ls "$work/figures")"
awk -v legend=1 -f "$source/tests/figure.awk" "$work"/figures/*.svg >"$work/faults" || fail "figure.awk: exit $?"
[ ! -s "$work/faults" ] || fail "$(cat "$work/faults")"

# one style
for script in "$source"/papers/*/*.gp; do
  grep -q "^load '../../experiments/report/figures/style.gp'" "$script" || fail "$script does not read the style of all figures"
  grep -nE "set (terminal|key|border)|#[0-9a-f]{6}" "$script" && fail "$script has a style of its own"
done

# a number that changes in a CSV file changes the figure; a column in front of the others does not
mkdir -p "$work/tree/experiments/report"
cp -R "$source/papers" "$work/tree"
cp -R "$source/experiments/report/figures" "$work/tree/experiments/report"
chmod -R u+w "$work/tree"
for file in obdd/wdl-3-4.csv orders/orders.csv probes/fathom.csv published/ours.csv staircase/staircase.csv syzygy/recompressed.csv; do
  sed '1s/^/front,/; 1!s/^/"in front, ""of"" all",/; s/,KRvKP,repair,\([^,]*,[^,]*,[^,]*\),[^,]*,/,KRvKP,repair,\1,260,/' "$source/papers/$file" >"$work/tree/papers/$file"
done
sh "$work/tree/papers/figures.sh" "$work/again" >"$work/said" 2>&1 || fail "another number: $(cat "$work/said")"
for drawn in "$work"/figures/*; do
  name=$(basename "$drawn")
  if cmp -s "$drawn" "$work/again/$name"; then
    [ "${name%%[._]*}" != medians ] || fail "another number does not change $name"
  else
    [ "${name%%[._]*}" = medians ] || fail "a column in front changes $name"
  fi
done

# what the checks are worth: figures with these faults
{
  printf "load '%s/experiments/report/figures/style.gp'\n" "$(cd "$source" && pwd)"
  printf "OUT = '%s'; eval paper (300, 200, 'bad'); TITLE = 'a name that is much too long for a paper as narrow as this one is'\n" "$work"
  printf "WHAT = ''; BELOW = ''; eval heading; set label 'one' at 5, 0.4; set label 'two' at 5, 0.5; ENTRY = 'none'; eval legend (7, BLUE)\n"
  printf "plot x with lines; eval finished\n"
} >"$work/bad.gp"
LC_ALL=C.UTF-8 gnuplot -d "$work/bad.gp" 2>"$work/said" || fail "bad.gp: $(cat "$work/said")"
awk -v legend=1 -f "$source/tests/figure.awk" "$work/bad.svg" >"$work/faults"
for fault in 'over the edge' '"one" and "two" overlap\|"two" and "one" overlap' 'one mark alone'; do
  grep -q "$fault" "$work/faults" || fail "figure.awk does not see: $fault: $(cat "$work/faults")"
done
exit $((failures > 0))
