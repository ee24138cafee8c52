#!/bin/sh
# What a machine can see of the style: no line of C above 110 characters but those that hold a text; documents are cited by author and
# year (docs/references.bib), not by a number; tables that tests write are not in the repository, only those that they read; the README
# of a room names each of its files of C, or the header of the same name.
cd "${SD_SRCDIR:-.}" || exit 99
command -v git >/dev/null && git rev-parse --git-dir >/dev/null 2>&1 || exit 77
files=$(git ls-files '*.c' '*.h')
status=0
# shellcheck disable=SC2086
long=$(awk 'length > 110 && !/"/ && !/^#pragma/ { print FILENAME ":" FNR ": " length " characters" }' $files)
[ -z "$long" ] || { printf '%s\n' "$long"; status=1; }
# shellcheck disable=SC2086
cited=$(grep -nE '(^|[^A-Za-z0-9_])S[0-4]( |,|'"'"'s|\)|:|$)' $files $(git ls-files '*.md' '*.mdoc') | grep -v '^papers/.*csv')
[ -z "$cited" ] || { printf '%s\n' "$cited"; status=1; }
written=$(git ls-files '*.sdt' '*.sda' '*.rtbw' '*.rtbz' '*.list' | grep -vE '^tests/(golden|data)/')
[ -z "$written" ] || { printf '%s: what a test writes\n' $written; status=1; }
unnamed=$(git ls-files '*/README.md' | grep -vE '/.*/|^(papers|tests)/' | while read -r page; do
  git ls-files "${page%README.md}*.c" "${page%README.md}*.h" | awk -v page="$page" '
    { name[NR] = $0 }
    END {
      while ((getline line < page) > 0)
        while (match (line, /[A-Za-z0-9_]+\.[ch]/)) {
          named[substr (line, RSTART, RLENGTH - 2)]
          line = substr (line, RSTART + RLENGTH)
        }
      for (i = 1; i <= NR; i++) {
        stem = name[i]; sub (/.*\//, "", stem); sub (/\.[ch]$/, "", stem)
        if (!(stem in named))
          print page ": does not name " name[i]
      }
    }'
done)
[ -z "$unnamed" ] || { printf '%s\n' "$unnamed"; status=1; }
exit $status
