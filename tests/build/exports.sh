#!/bin/sh
# Both shared libraries export what the installed headers mark SUBDEF_API, no more and no less, at most 70 functions in all, each with a
# version: libsubdef all of them, libsubdef-probe those of <subdef/probe.h>.
set -u
: "${SD_SRCDIR:?}" "${SD_BUILDDIR:?}" "${SD_HEADERS:?run it by make check}"
library=$SD_BUILDDIR/.libs/libsubdef.so
probe=$SD_BUILDDIR/.libs/libsubdef-probe.so
most=70
[ -f "$library" ] || { echo "no shared library was built"; exit 77; }
[ -f "$probe" ] || { echo "FAIL: no libsubdef-probe" >&2; exit 1; }
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
fail () { echo "FAIL: $*" >&2; exit 1; }

cd "$SD_SRCDIR" || exit 99
marked () { # marked HEADER...: the name is the first that starts with sd_ and is followed by " ("
  awk '/^SUBDEF_API/ {
    if (!match ($0, /sd_[a-z0-9_]+ \(/)) { print FILENAME ": " FNR ": no name behind the mark" > "/dev/stderr"; exit 1 }
    print substr ($0, RSTART, RLENGTH - 2)
  }' "$@"
}
exported () { ${SD_NM:-nm} -D --defined-only "$1" | awk '$2 != "A" { name = $3; sub (/@.*/, "", name); print name }' | sort -u; }

# shellcheck disable=SC2086
marked $SD_HEADERS >"$scratch/names" || fail "the headers cannot be read"
sort -u "$scratch/names" >"$scratch/both"
[ "$(wc -l <"$scratch/both")" -ge 30 ] || fail "fewer than 30 marked functions in $SD_HEADERS"
[ "$(wc -l <"$scratch/both")" -le $most ] || fail "$(wc -l <"$scratch/both") marked functions in $SD_HEADERS, at most $most are allowed"
# Each mark is at the start of a line, but where a header defines it; and no other header has one.
# shellcheck disable=SC2086
marks=$(cat $SD_HEADERS | grep -c SUBDEF_API) definitions=$(cat $SD_HEADERS | grep -cE '^#(ifndef|define) SUBDEF_API')
[ "$marks" = "$(($(wc -l <"$scratch/both") + definitions))" ] || fail "$marks lines with a mark, but other functions than one for each"
find . -name '*.h' -not -path './build*' -exec grep -l '^SUBDEF_API\|^SD_API' {} + | sed 's,^\./,,' | while read -r header; do
  case " $SD_HEADERS " in
    *" $header "*) ;;
    *) echo "$header" ;;
  esac
done >"$scratch/others"
[ ! -s "$scratch/others" ] || fail "marked functions in headers that are not installed: $(cat "$scratch/others")"

${SD_NM:-nm} -D --defined-only "$library" >"$scratch/nm" || { echo "nm -D does not work here"; exit 77; }
exported "$library" >"$scratch/exported"
diff "$scratch/both" "$scratch/exported" || fail "libsubdef: < is marked SUBDEF_API, > is exported"
marked engine/probe.h | sort -u >"$scratch/marked"
exported "$probe" >"$scratch/exported"
[ "$(wc -l <"$scratch/marked")" -ge 12 ] || fail "fewer than 12 marked functions in engine/probe.h"
diff "$scratch/marked" "$scratch/exported" || fail "libsubdef-probe: < is marked SUBDEF_API, > is exported"
if [ "${SD_VERSIONS:-}" = yes ]; then
  grep -v ' A SUBDEF_' "$scratch/nm" | grep -v '@@SUBDEF_' && fail "exported without a version"
fi

# The library of decoders needs no library of compressors and no OpenMP.
${SD_NM:-nm} -D --undefined-only "$probe" | grep -E ' (GOMP_|omp_|lzma_|ZSTD_|Brotli|deflate|inflate|BZ2_|LZ4_)' \
  && fail "libsubdef-probe needs more than the C library and xxHash"
echo "$(wc -l <"$scratch/both") functions, $(wc -l <"$scratch/marked") of them in libsubdef-probe"
