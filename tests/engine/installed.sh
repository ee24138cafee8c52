#!/bin/sh
# What an engine gets from `make install`: <subdef/probe.h> and libsubdef-probe are enough for the examples in C and C++,
# with what pkg-config says, shared and static; Fathom's calls; the manual page.
set -u
: "${SD_SRCDIR:?}" "${SD_BUILDDIR:?}" "${SD_PREFIX:?run it by make check}"
CC=${SD_CC:-cc}
CXX=${SD_CXX:-no}
scratch=$SD_BUILDDIR/tests/engine/installed
fail () { echo "FAIL: $*" >&2; exit 1; }
rm -rf "$scratch" && mkdir -p "$scratch/tables" || exit 99
# as the goldens are named: METRIC in their folder
cp "$SD_SRCDIR"/tests/data/engine/*.sdt "$scratch/tables/" || exit 99
(unset MAKEFLAGS MFLAGS MAKELEVEL; make -C "$SD_BUILDDIR" install-libLTLIBRARIES install-subdefincludeHEADERS install-pkgconfigDATA \
  install-dist_exampleDATA install-man3 DESTDIR="$scratch/root") >"$scratch/install.log" 2>&1 \
  || { tail -n 5 "$scratch/install.log" >&2; fail "make install"; }
root=$scratch/root
[ -n "$(find "$root" -name sd_prober_open.3)" ] || fail "no manual page"

pc () { PKG_CONFIG_PATH=$root$SD_LIBDIR/pkgconfig ${SD_PKG_CONFIG:-pkg-config} --define-variable=prefix="$root$SD_PREFIX" "$@"; }
fen='8/8/8/8/8/3k4/8/K6Q w - - 0 1'
try () { # try NAME COMPILER-AND-FLAGS...: build and run; the last words are the libraries
  name=$1
  shift
  "$@" -o "$scratch/$name" || fail "$name does not link: $*"
  LD_LIBRARY_PATH=$root$SD_LIBDIR "$scratch/$name" "$scratch/tables" "$fen" >"$scratch/said" 2>"$scratch/messages" \
    || fail "$name: $(cat "$scratch/messages")"
  grep -q '^2 tables with up to 3 men$' "$scratch/messages" || fail "$name: $(cat "$scratch/messages")"
  [ "$(head -n 1 "$scratch/said")" = 'won, mate in 13 plies' ] || fail "$name says $(head -n 1 "$scratch/said")"
  [ "$(sed -n 2p "$scratch/said")" = 'h1h4 won 13' ] || fail "$name: its best move is $(sed -n 2p "$scratch/said")"
  [ "$(tail -n 1 "$scratch/said")" != "$(sed -n 2p "$scratch/said")" ] || fail "$name has one move"
  LD_LIBRARY_PATH=$root$SD_LIBDIR "$scratch/$name" "$scratch/nowhere" "$fen" >"$scratch/said" 2>&1 \
    && fail "$name: no such folder, and it succeeds"
  LD_LIBRARY_PATH=$root$SD_LIBDIR "$scratch/$name" "$scratch/tables" '4k3/8/8/8/8/8/8/4K2Q w K - 0 1' >"$scratch/said" 2>&1 \
    && fail "$name: castling, and it succeeds"
  echo "$name: $*"
}
examples=$root${SD_DOCDIR:?}/docs/examples
warn='-Wall -Wextra -Wpedantic -Werror'
for library in subdef-probe subdef; do
  cflags=$(pc --cflags $library) && libs=$(pc --libs $library) || fail "pkg-config $library"
  # shellcheck disable=SC2086
  try "c-$library" $CC -std=c11 $warn ${SD_SANITIZE:-} $cflags "$examples/engine.c" $libs
  # shellcheck disable=SC2086
  [ "$CXX" = no ] || try "cxx-$library" $CXX -std=c++11 $warn ${SD_SANITIZE:-} $cflags "$examples/engine.cpp" $libs
done
cflags=$(pc --cflags subdef-probe) libs=$(pc --libs subdef-probe)
if [ -f "$root$SD_LIBDIR/libsubdef-probe.a" ] && [ -z "${SD_SANITIZE:-}" ]; then
  # shellcheck disable=SC2046,SC2086
  try static $CC -std=c11 $warn $cflags "$examples/engine.c" "$root$SD_LIBDIR/libsubdef-probe.a" \
    $(pc --libs --static subdef-probe | sed 's/-lsubdef-probe//')
fi

# Fathom's calls in two source files of one program, of C and of C++
cat >"$scratch/one.c" <<'EOF'
#include <subdef/fathom.h>
unsigned largest (void);
unsigned largest (void) { return TB_LARGEST; }
EOF
cat >"$scratch/two.c" <<'EOF'
#include <subdef/fathom.h>
#include <stdio.h>
#ifdef __cplusplus
extern "C"
#endif
unsigned largest (void);
int main (int argc, char **argv) {
  unsigned moves[TB_MAX_MOVES];
  if (argc < 2 || !tb_init (argv[1]))
    return 1;
  /* White: Ka1, Qh1; Black: Kd3; White to move */
  const unsigned r = tb_probe_root (0x81, 1ull << 19, 1 | 1ull << 19, 0x80, 0, 0, 0, 0, 0, 0, 0, true, moves);
  printf ("%u %u %u %u\n", largest (), TB_GET_WDL (r), TB_GET_DTZ (r),
          tb_probe_wdl (0x81, 1ull << 19, 1 | 1ull << 19, 0x80, 0, 0, 0, 0, 0, 0, 0, false));
  tb_free ();
  return 0;
}
EOF
shim () {
  # shellcheck disable=SC2086
  $CC -std=c11 $warn ${SD_SANITIZE:-} $cflags -c "$scratch/one.c" -o "$scratch/one.o" || fail "fathom.h in C"
  # shellcheck disable=SC2086
  "$@" $warn ${SD_SANITIZE:-} $cflags "$scratch/two.c" -x none "$scratch/one.o" $libs -o "$scratch/shim" || fail "fathom.h: $*"
  said=$(LD_LIBRARY_PATH=$root$SD_LIBDIR "$scratch/shim" "$scratch/tables:$SD_SRCDIR/tests/golden/syzygy")
  [ "$said" = '4 4 13 0' ] || fail "Fathom's calls give '$said'"
}
shim "$CC" -std=c11 -x c
[ "$CXX" = no ] || shim "$CXX" -std=c++11 -x c++

rm -rf "$scratch"
