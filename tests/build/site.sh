#!/bin/sh
# The site that "make site" makes: every link on its pages leads to a file and a heading that are there, no page asks another server for
# anything, every page of the repository is in the search, and a link that leads nowhere makes the build fail.
set -u
: "${SD_SRCDIR:?}" "${SD_BUILDDIR:?run it by make check}"
failures=0
fail () { echo "FAIL: $*" >&2; failures=$((failures + 1)); }
# not below the source, which has links to it
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
links=$SD_SRCDIR/tests/build/site_links.py
command -v python3 >/dev/null || { echo "no python3"; exit 77; }

mkdir "$scratch/right" "$scratch/wrong" "$scratch/top" "$scratch/page"
sh "$SD_SRCDIR/docs/site/site.sh" "$SD_SRCDIR" "$SD_BUILDDIR/man" "$scratch/right" >"$scratch/out" 2>&1
case $? in
0) ;;
69) cat "$scratch/out"; exit 77 ;;
*) cat "$scratch/out" >&2; exit 1 ;;
esac
python3 "$links" "$scratch/right/site" >"$scratch/out" || fail "$(cat "$scratch/out")"
for page in man/subdef.1 man/subdef-gen.1 man/subdef_probe.3 docs/tutorials/research docs/format papers/syzygy/README papers/repair/blocks \
  experiments/README docs/glossary gen/README; do
  [ -f "$scratch/right/site/$page.html" ] || fail "no page $page.html"
  grep -q "\"$page\"" "$scratch/right/site/searchindex.js" || fail "$page is not in the search"
done

# what the check of links finds
cat >"$scratch/page/index.html" <<'EOF'
<h1 id="here">x</h1><a href="#here">right</a> <a href="nowhere.html">lost</a> <a href="#lost">lost</a> <img src="lost.svg">
<script src="https://example.org/x.js"></script>
EOF
python3 "$links" "$scratch/page" >"$scratch/out" && fail "broken links go unnoticed"
[ "$(wc -l <"$scratch/out")" -eq 4 ] || fail "of four faults these are found: $(cat "$scratch/out")"

# the same repository with a link that leads nowhere
for file in "$SD_SRCDIR"/*; do ln -s "$file" "$scratch/top"; done
rm "$scratch/top/README.md"
{ cat "$SD_SRCDIR/README.md"; echo 'See [nothing](docs/nowhere.md).'; } >"$scratch/top/README.md"
sh "$scratch/top/docs/site/site.sh" "$scratch/top" "$SD_BUILDDIR/man" "$scratch/wrong" >"$scratch/out" 2>&1 && fail "a broken link is built"
grep -q 'docs/nowhere.md' "$scratch/out" || fail "the broken link is not named: $(cat "$scratch/out")"
exit $((failures > 0))
