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
object=
for compiler in clang gcc; do
  command -v $compiler >/dev/null || continue
  levels=$gcc_levels
  [ $compiler = gcc ] || levels=$clang_levels
  for level in $levels; do
    # shellcheck disable=SC2086
    $compiler -std=c11 $strict $level -c "$work/subdef_probe.c" -o "$work/$compiler.o" || fail "$compiler $level"
  done
  object=$work/$compiler.o
done
[ -n "$object" ] || { echo "neither gcc nor clang"; exit 77; }
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
    $compiler -std=$standard $strict "$work/one.cpp" "$object" -o "$work/one" -pthread 2>"$work/log" && "$work/one" || fail "$compiler $standard: $(cat "$work/log")"
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
$cc -std=c11 $strict ${SD_SANITIZE:-} -DAMALGAMATION "-I$work" -c "$program" -o "$work/values.o" || fail "values.c of the two files"
# what was compiled above, unless sanitizers are to look at it
if [ -n "${SD_SANITIZE:-}" ]; then
  object=$work/sanitized.o
  # shellcheck disable=SC2086
  $cc -std=c11 $strict -O1 $SD_SANITIZE -c "$work/subdef_probe.c" -o "$object" || fail "subdef_probe.c with sanitizers"
fi
# shellcheck disable=SC2086
$cc ${SD_SANITIZE:-} "$work/values.o" "$object" -pthread -o "$work/copied" || fail "values.c with the two files"
if [ -n "${cpp:-}" ]; then
  # shellcheck disable=SC2086
  $cc -std=c11 $strict -DAMALGAMATION "-I$work" -c "$program" -o "$work/values.o" \
    && $cpp "$work/values.o" "$work/cpp.o" -pthread -o "$work/cpp" || fail "values.c with the C++ file"
fi
golden=$SD_SRCDIR/tests/golden
set --
for folder in "$golden"/*/; do
  # a position of decision trees takes as long as a hundred others
  positions=100
  case $folder in */forest*/ | *trees*/) [ "${SD_LONG_TESTS:-0}" = 1 ] || positions=20 ;; esac
  # shellcheck disable=SC2046
  set -- "$@" -- $positions "$folder:$golden/base" $(find "$folder" -name 'K*' | sed 's|.*/||; s|[.].*||' | sort -u)
done
for flags in 0 3 6 8; do
  "$work/library" $flags "$@" >"$work/library.$flags" || fail "the library, flags $flags: exit $?"
  for copy in copied ${cpp:+cpp}; do
    [ $copy != cpp ] || [ $flags = 0 ] || [ "${SD_LONG_TESTS:-0}" = 1 ] || continue
    "$work/$copy" $flags "$@" >"$work/$copy.$flags" || fail "$copy, flags $flags: exit $?, at $(grep '^of ' "$work/$copy.$flags" | tail -n 1)"
    cmp -s "$work/library.$flags" "$work/$copy.$flags" \
      || { diff -F '^of ' -u0 "$work/library.$flags" "$work/$copy.$flags" | head -n 8 >&2; fail "$copy, flags $flags: another answer"; }
  done
done
count=$(cat "$work"/library.* | wc -l)
[ "$count" -gt 10000 ] || fail "only $count answers"
echo "$count answers are the same"
