#!/bin/sh
# `make dist` distributes each file of the repository, but for those of forges, the two files to copy, and nothing else but what autoconf
# and automake make.
# SD_LONG_TESTS=1 also builds what is distributed in a fresh folder and runs the short suite there. (tests/all.sh distcheck: all of it.)
set -u
: "${SD_SRCDIR:?}" "${SD_BUILDDIR:?run it by make check}"
cd "$SD_SRCDIR" || exit 99
command -v git >/dev/null && [ -e .git ] && git rev-parse --git-dir >/dev/null 2>&1 || { echo "no repository"; exit 77; }
[ -x "$SD_BUILDDIR/tools/subdef" ] || { echo "a build without the programs makes no tarball"; exit 77; }
scratch=$SD_BUILDDIR/tests/build/dist
fail () { echo "FAIL: $*" >&2; exit 1; }
rm -rf "$scratch" && mkdir -p "$scratch" || exit 99
# another make: it is not to take part in the jobs of the one that runs the tests
unset MAKEFLAGS MFLAGS MAKELEVEL
make -C "$SD_BUILDDIR" distdir distdir=tests/build/dist/tree >"$scratch/log" 2>&1 || { tail -n 5 "$scratch/log" >&2; fail "make distdir"; }

git ls-files | grep -vE '^(\.ci/|\.github/|\.gitignore$)' | LC_ALL=C sort >"$scratch/wanted"
(cd "$scratch/tree" && find . -type f) | sed 's,^\./,,' | grep -vE '^(build-aux/|m4/(libtool|lt[a-z]*|lt~obsolete)\.m4$|(Makefile|config\.h)\.in$|aclocal\.m4$|configure$|amalgamation/subdef_probe\.[ch]$)' \
  | LC_ALL=C sort >"$scratch/there"
[ "$(wc -l <"$scratch/wanted")" -ge 500 ] || fail "only $(wc -l <"$scratch/wanted") files in the repository"
diff "$scratch/wanted" "$scratch/there" || fail "< is in the repository, but not distributed; > the other way round"
while read -r file; do
  cmp -s "$file" "$scratch/tree/$file" || fail "$file is another one in what is distributed"
done <"$scratch/wanted"

${SD_CC:-cc} -std=c11 -fsyntax-only -Werror "$scratch/tree/amalgamation/subdef_probe.c" || fail "amalgamation/subdef_probe.c of the tarball"

if [ -n "${SD_LONG_TESTS:-}" ]; then
  mkdir "$scratch/fresh" && cd "$scratch/fresh" && chmod -R a-w "$scratch/tree" || exit 99
  trap 'chmod -R u+w "$scratch/tree"' EXIT
  { ../tree/configure -q && make V=0 && make check-fast V=0; } >../fresh.log 2>&1 || { tail -n 20 ../fresh.log >&2; fail "in a fresh folder"; }
  grep '^# ' ../fresh.log
  chmod -R u+w "$scratch/tree"
fi
rm -rf "$scratch"
