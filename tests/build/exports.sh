#!/bin/sh
# The shared library exports what the installed headers mark SD_API, no more and no less, and all of it with a version.
set -u
: "${SD_SRCDIR:?}" "${SD_BUILDDIR:?}" "${SD_HEADERS:?run it by make check}"
library=$SD_BUILDDIR/.libs/libsubdef.so
[ -f "$library" ] || { echo "no shared library was built"; exit 77; }
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
fail () { echo "FAIL: $*" >&2; exit 1; }

# a marked declaration: its name is the first that starts with sd_ and is followed by " (" or "["
cd "$SD_SRCDIR" || exit 99
# shellcheck disable=SC2086
awk '/^SD_API/ {
  if (!match ($0, /sd_[a-z0-9_]+( \(|\[)/)) { print FILENAME ": " FNR ": no name behind SD_API" > "/dev/stderr"; exit 1 }
  name = substr ($0, RSTART, RLENGTH); sub (/ ?[[(]$/, "", name); print name
}' $SD_HEADERS >"$scratch/names" || fail "the headers cannot be read"
sort -u "$scratch/names" >"$scratch/marked"
[ "$(wc -l <"$scratch/marked")" -ge 50 ] || fail "fewer than 50 marked functions in $SD_HEADERS"
# shellcheck disable=SC2086
marks=$(cat $SD_HEADERS | grep -c 'SD_API')
[ "$marks" = "$(($(wc -l <"$scratch/marked") + 1))" ] || fail "$marks lines with SD_API, but other functions than one for each, and the definition"

${SD_NM:-nm} -D --defined-only "$library" >"$scratch/nm" || { echo "nm -D does not work here"; exit 77; }
awk '$2 != "A" { name = $3; sub (/@.*/, "", name); print name }' "$scratch/nm" | sort -u >"$scratch/exported"
diff "$scratch/marked" "$scratch/exported" || fail "< is marked SD_API, > is exported"
[ "${SD_VERSIONS:-}" = yes ] || exit 0
if grep -v ' A SUBDEF_' "$scratch/nm" | grep -v '@@SUBDEF_'; then fail "exported without a version"; fi
