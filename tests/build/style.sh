#!/bin/sh
# What a machine can see of the style: no line of C above 110 characters but those that hold a text; documents are cited by author and
# year (docs/references.bib), not by a number; tables that tests write are not in the repository, only those that they read.
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
exit $status
