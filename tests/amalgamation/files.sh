#!/bin/sh
# The two files to copy: made, compiled alone by gcc and clang as strictly as can be, and as C++, at most 12,000 lines, and of all golden tables and
# Syzygy files they say what the library says, whatever the flags. SD_LONG_TESTS=1: more levels of optimisation, which find more to warn of, and all flags as C++, too.
set -u
: "${SD_SRCDIR:?}" "${SD_BUILDDIR:?}"
[ "${SD_PYTHON:-:}" != : ] || { echo "no Python"; exit 77; }
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
fail () { echo "FAIL: $*" >&2; exit 1; }
(unset MAKEFLAGS MFLAGS MAKELEVEL; make -C "$SD_BUILDDIR" amalgamation) >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "make amalgamation"; }
cp "$SD_BUILDDIR/subdef_probe.c" "$SD_BUILDDIR/subdef_probe.h" "$work/" || fail "no files"
[ "$(cat "$work/subdef_probe.c" "$work/subdef_probe.h" | wc -l)" -le 12000 ] || fail "more than 12,000 lines"
strict='-Wall -Wextra -Wpedantic -Werror'
# gcc warns of more where it optimises, clang of the same.
gcc_levels=-O3 clang_levels=-O0 others=-fsyntax-only
[ "${SD_LONG_TESTS:-0}" = 1 ] && gcc_levels='-O1 -O3' clang_levels='-O1 -O3' others=-O1
tried=0
for compiler in gcc clang; do
  command -v $compiler >/dev/null || continue
  levels=$gcc_levels
  [ $compiler = gcc ] || levels=$clang_levels
  for level in $levels; do
    # shellcheck disable=SC2086
    $compiler -std=c11 $strict $level -c "$work/subdef_probe.c" -o "$work/$compiler.o" || fail "$compiler $level"
  done
  tried=$((tried + 1))
done
[ $tried -gt 0 ] || { echo "neither gcc nor clang"; exit 77; }
for compiler in g++ clang++; do
  command -v $compiler >/dev/null || continue
  for standard in c++11 c++20; do
    $compiler -std=$standard -x c++ -Wall -Wextra -Werror $others -c "$work/subdef_probe.c" -o "$work/cpp.o" || fail "$compiler $standard"
  done
  cpp=$compiler
done
if [ -n "${cpp:-}" ]; then
  $cpp -std=c++17 -x c++ -Wall -Wextra -Werror -O1 -c "$work/subdef_probe.c" -o "$work/cpp.o" || fail "$cpp c++17"
fi
# no function but the public ones can be called, or get into the way of the engine's
exported=$(${SD_NM:-nm} -g --defined-only "$work"/*.o | awk '$2 == "T" && $3 !~ /^sd_prober_/ { print $3 }')
[ -z "$exported" ] || fail "functions that others can call: $exported"
for compiler in g++ clang++; do
  command -v $compiler >/dev/null || continue
  for standard in c++11 c++17; do
    printf '#define SUBDEF_FATHOM\n#include "subdef_probe.h"\nint main () { return tb_init ("") ? 0 : 1; }\n' >"$work/one.cpp"
    # shellcheck disable=SC2086
    $compiler -std=$standard $strict "$work/one.cpp" "$work/gcc.o" -o "$work/one" -pthread 2>"$work/log" && "$work/one" || fail "$compiler $standard: $(cat "$work/log")"
  done
done

cc=${SD_CC:-cc}
# shellcheck disable=SC2086
$cc -std=c11 $strict "-I$SD_SRCDIR" "$SD_SRCDIR/tests/amalgamation/xxh3.c" -c -o "$work/ours.o" \
  && $cc -std=c11 -w -DTHEIRS "$SD_SRCDIR/tests/amalgamation/xxh3.c" "$work/ours.o" -o "$work/xxh3" && "$work/xxh3" || fail "the checksum"

[ -f "$SD_BUILDDIR/.libs/libsubdef-probe.a" ] || { echo "no static library to compare with; the rest is all right"; exit 77; }
mkdir "$work/subdef" && cp "$SD_SRCDIR/engine/probe.h" "$work/subdef/" || exit 99
program=$SD_SRCDIR/tests/amalgamation/values.c
# shellcheck disable=SC2086
$cc -std=c11 $strict ${SD_SANITIZE:-} "-I$work" "$program" "$SD_BUILDDIR/.libs/libsubdef-probe.a" -lxxhash -pthread -o "$work/library" || fail "values.c"
# shellcheck disable=SC2086
$cc -std=c11 $strict -O1 ${SD_SANITIZE:-} -DAMALGAMATION "-I$work" "$program" "$work/subdef_probe.c" -pthread -o "$work/copied" || fail "values.c with the two files"
set -- "$work/copied"
if [ -n "${cpp:-}" ]; then
  # shellcheck disable=SC2086
  $cc -std=c11 $strict -DAMALGAMATION "-I$work" -c "$program" -o "$work/values.o" \
    && $cpp "$work/values.o" "$work/cpp.o" -pthread -o "$work/cpp" || fail "values.c with the C++ file"
  set -- "$@" "$work/cpp"
fi
golden=$SD_SRCDIR/tests/golden
count=0
for folder in "$golden"/*/; do
  endings=$(find "$folder" -name 'K*' | sed 's|.*/||; s|[.].*||' | sort -u)
  for flags in 0 3 6 8; do
    # shellcheck disable=SC2086
    "$work/library" "$folder:$golden/base" $flags $endings >"$work/a" || fail "$folder: exit $?"
    for copy; do
      [ "$copy" != "$work/cpp" ] || [ "$flags" = 0 ] || [ "${SD_LONG_TESTS:-0}" = 1 ] || continue
      # shellcheck disable=SC2086
      "$copy" "$folder:$golden/base" $flags $endings >"$work/b" || fail "$copy: $folder: exit $?"
      cmp -s "$work/a" "$work/b" || { diff "$work/a" "$work/b" | head -n 5 >&2; fail "$copy: $folder, flags $flags: another answer"; }
    done
    count=$((count + $(wc -l <"$work/a")))
  done
done
[ "$count" -gt 10000 ] || fail "only $count answers"
echo "$count answers are the same"
