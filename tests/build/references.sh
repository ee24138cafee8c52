#!/bin/sh
# What help, manual pages and README name is there after `make install`: documents, examples, data; the completion of both shells.
set -u
: "${SD_SRCDIR:?}" "${SD_BUILDDIR:?}" "${SD_DOCDIR:?run it by make check}"
scratch=$SD_BUILDDIR/tests/build/references
failures=0
fail () { echo "FAIL: $*" >&2; failures=$((failures + 1)); }
rm -rf "$scratch" && mkdir -p "$scratch" || exit 99
# another make: it is not to take part in the jobs of the one that runs the tests
(unset MAKEFLAGS MFLAGS MAKELEVEL; make -C "$SD_BUILDDIR" install-data DESTDIR="$scratch/root") >"$scratch/install.log" 2>&1 \
  || { tail -n 5 "$scratch/install.log" >&2; exit 1; }
documents=$scratch/root$SD_DOCDIR data=$(find "$scratch/root" -type d -path '*/share/subdef')
subdef=$SD_BUILDDIR/tools/subdef

{
  if [ -x "$subdef" ]; then
    "$subdef" --help
    "$SD_BUILDDIR/tools/subdef-gen" --help
    for command in $("$subdef" --help | sed -n 's/^  \([a-z]*\)  *[a-z].*/\1/p'); do
      [ "$command" = subdef ] || "$subdef" "$command" --help
    done
  fi
  # a manual page by its words, without the fonts
  find "$scratch/root" -path '*/man/*' -name '*.[13]' -exec cat {} + | sed 's/\\-/-/g; s/\\&//g'
  # the links of README
  sed -n -e 's/.*](\([^)#]*\)[^)]*).*/\1/p' -e 's/.*src[a-z]*="\([^"]*\)".*/\1/p' "$documents/README.md"
} >"$scratch/text"
# a path of this project: DOCUMENTS/..., the folders that have documents and data; .md, .csv, .conf, .py, .c, .cpp, .svg, .bib
grep -oE '(docs|experiments|papers|engine|gen|tests)/[A-Za-z0-9_/.-]*\.(md|csv|conf|py|c|cpp|svg|bib)' "$scratch/text" | sort -u >"$scratch/names"
[ "$(wc -l <"$scratch/names")" -ge 12 ] || fail "only $(wc -l <"$scratch/names") references were found"
while read -r name; do
  [ -f "$documents/$name" ] || { [ -n "$data" ] && [ -f "$data/$name" ]; } || fail "$name is named, but not installed"
done <"$scratch/names"
# a folder of them, as papers/memory: its page, and of examples the files themselves
grep -oE '(docs|experiments|papers|engine)/[A-Za-z0-9_/-]*' "$scratch/text" | sed 's,/*$,,' | sort -u | while read -r name; do
  [ ! -d "$SD_SRCDIR/$name" ] || echo "$name"
done >"$scratch/folders"
[ "$(wc -l <"$scratch/folders")" -ge 6 ] || fail "only $(wc -l <"$scratch/folders") folders were found"
while read -r name; do
  [ -f "$documents/$name/README.md" ] || [ "$name" = docs ] || { [ "$name" = docs/examples ] && [ -f "$documents/$name/codec.c" ]; } \
    || fail "$name is named, but its page is not installed"
done <"$scratch/folders"
for name in docs/examples/arrays.py docs/examples/checksum.py docs/glossary.md; do
  [ -f "$documents/$name" ] || fail "$name is not installed"
done
# the pages link to each other, to figures and to data where they lie; a link to a folder is one to its page
links=0
for page in $(cd "$documents" && find . -name '*.md' | sed 's,^\./,,'); do
  for link in $(sed -n -e 's/](\([^)#]*\)[^)]*)/\n@\1\n/gp' -e 's/.*src[a-z]*="\([^"]*\)".*/@\1/p' "$documents/$page" | sed -n 's/^@//p' | grep -v '^http' | sort -u); do
    links=$((links + 1))
    at=$(dirname "$page")/$link
    [ -f "$documents/$at" ] || [ -f "$documents/$at/README.md" ] || { [ -n "$data" ] && [ -f "$data/$at" ]; } \
      || [ "$link" = docs/examples ] || case $link in
      ../*/README.md | ../../*) ;; # a room of the source
      *) fail "$page links to $link, which is not installed" ;;
    esac
  done
done
[ "$links" -ge 60 ] || fail "only $links links were found"
if [ -x "$subdef" ]; then
  for file in bash-completion/completions/subdef bash-completion/completions/subdef-gen zsh/site-functions/_subdef; do
    [ -n "$(find -L "$scratch/root" -type f -path "*/share/$file")" ] || fail "share/$file is not installed"
  done
fi
exit $((failures > 0))
