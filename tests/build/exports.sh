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
awk '/^(SD|SUBDEF)_API/ {
  if (!match ($0, /sd_[a-z0-9_]+( \(|\[)/)) { print FILENAME ": " FNR ": no name behind the mark" > "/dev/stderr"; exit 1 }
  name = substr ($0, RSTART, RLENGTH); sub (/ ?[[(]$/, "", name); print name
}' $SD_HEADERS $SD_ENGINE_HEADER >"$scratch/names" || fail "the headers cannot be read"
sort -u "$scratch/names" >"$scratch/marked"
[ "$(wc -l <"$scratch/marked")" -ge 50 ] || fail "fewer than 50 marked functions in $SD_HEADERS"
# shellcheck disable=SC2086
marks=$(cat $SD_HEADERS $SD_ENGINE_HEADER | grep -cE '(SD|SUBDEF)_API')
[ "$marks" = "$(($(wc -l <"$scratch/marked") + 4))" ] || fail "$marks lines with a mark, but other functions than one for each, and the two definitions"

${SD_NM:-nm} -D --defined-only "$library" >"$scratch/nm" || { echo "nm -D does not work here"; exit 77; }
awk '$2 != "A" { name = $3; sub (/@.*/, "", name); print name }' "$scratch/nm" | sort -u >"$scratch/exported"
diff "$scratch/marked" "$scratch/exported" || fail "< is marked SD_API, > is exported"
if [ "${SD_VERSIONS:-}" = yes ] && grep -v ' A SUBDEF_' "$scratch/nm" | grep -v '@@SUBDEF_'; then fail "exported without a version"; fi

# The library of decoders exports what the engines' header marks, and needs no other library of compressors and no OpenMP.
probe=$SD_BUILDDIR/.libs/libsubdef-probe.so
[ -f "$probe" ] || fail "no libsubdef-probe"
sed -n 's/^SUBDEF_API.* \*\{0,1\}\(sd_[a-z]*_[a-z_]*\) (.*/\1/p' "$SD_ENGINE_HEADER" | sort -u >"$scratch/marked"
[ "$(wc -l <"$scratch/marked")" -ge 12 ] || fail "fewer than 12 marked functions in $SD_ENGINE_HEADER"
${SD_NM:-nm} -D --defined-only "$probe" | awk '$2 != "A" { name = $3; sub (/@.*/, "", name); print name }' | sort -u >"$scratch/exported"
diff "$scratch/marked" "$scratch/exported" || fail "libsubdef-probe: < is marked SUBDEF_API, > is exported"
${SD_NM:-nm} -D --undefined-only "$probe" | grep -E ' (GOMP_|omp_|lzma_|ZSTD_|Brotli|deflate|inflate|BZ2_|LZ4_)' \
  && fail "libsubdef-probe needs more than the C library and xxHash"
exit 0
