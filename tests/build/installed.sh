#!/bin/sh
# What `make install` leaves is enough to code data of one's own: the two examples are built from the installed files alone, with what
# pkg-config says, and run; with the shared library, and altogether static. No other headers are installed than those for users.
set -u
: "${SD_SRCDIR:?}" "${SD_BUILDDIR:?}" "${SD_PREFIX:?run it by make check}"
CC=${SD_CC:-cc}
CXX=${SD_CXX:-no}
scratch=$SD_BUILDDIR/tests/build/installed
fail () { echo "FAIL: $*" >&2; exit 1; }

rm -rf "$scratch" && mkdir -p "$scratch" || exit 99
# another make: it is not to take part in the jobs of the one that runs the tests
(unset MAKEFLAGS MFLAGS MAKELEVEL; make -C "$SD_BUILDDIR" install DESTDIR="$scratch/root") >"$scratch/install.log" 2>&1 \
  || { tail -n 5 "$scratch/install.log" >&2; fail "make install"; }
root=$scratch/root
for file in README.md LICENSE docs/format.md docs/latency.md docs/references.md docs/references.bib docs/examples/codec.c docs/examples/codec.cpp docs/examples/engine.c docs/examples/engine.cpp; do
  [ -f "$root$SD_DOCDIR/$file" ] || fail "$SD_DOCDIR/$file is not installed"
done

headers=$(cd "$root$SD_INCLUDEDIR" && find . -type f | sort | tr '\n' ' ')
[ "$headers" = './subdef/fathom.h ./subdef/probe.h ./subdef/subdef.h ' ] || fail "installed headers: $headers"
for page in subdef_coded.3 sd_coded_encode.3; do
  [ -n "$(find "$root" -name $page)" ] || fail "no manual page $page"
done

# the pinned layouts lie where the installed program looks for them
if [ -x "$SD_BUILDDIR/tools/subdef" ]; then
  data=$(cd "$SD_BUILDDIR" && printf 'include Makefile\nsd-data:\n\t@echo "$(pkgdatadir) $(bindir)"\n' \
    | (unset MAKEFLAGS MFLAGS MAKELEVEL; make -s --no-print-directory -f - sd-data)) || fail "make does not say where the data go"
  bin=${data#* } data=${data% *}
  grep -aqF "$data" "$root$bin/subdef" || fail "the installed program does not look into $data"
  for file in "$SD_SRCDIR"/papers/best-*.csv; do
    cmp -s "$file" "$root$data/papers/${file##*/}" || fail "$data/papers/${file##*/} is not that of the source"
  done
fi

# pkg-config of the installed file, its prefix moved to where the files are now
pc () { PKG_CONFIG_PATH=$root$SD_LIBDIR/pkgconfig ${SD_PKG_CONFIG:-pkg-config} --define-variable=prefix="$root$SD_PREFIX" "$@" subdef; }
cflags=$(pc --cflags) && libs=$(pc --libs) && static=$(pc --static --libs) || fail "pkg-config"

try () { # try NAME COMPILER-AND-FLAGS...: build and run; the last words are the libraries
  name=$1
  shift
  (cd "$scratch" && "$@" -o "$name") || fail "$name does not link: $*"
  said=$(LD_LIBRARY_PATH=$root$SD_LIBDIR "$scratch/$name" "$scratch/$name.sda" 2>"$scratch/messages") \
    || fail "$name: $(cat "$scratch/messages")"
  [ "$said" = "$wanted" ] || fail "$name says \"$said\", not \"$wanted\""
  LD_LIBRARY_PATH=$root$SD_LIBDIR "$scratch/$name" "$scratch/nowhere/x.sda" >"$scratch/messages" 2>&1 \
    && fail "$name: no such folder, and it succeeds"
  # the programs read what it has written
  if [ -x "$SD_BUILDDIR/tools/subdef" ]; then
    "$SD_BUILDDIR/tools/subdef" verify "$scratch/$name.sda" || fail "$name: subdef verify"
  fi
  echo "$name: $*"
}

# Can programs be altogether static here? Not with sanitizers, nor without static libraries of C and OpenMP (Debian's clang).
statically=no
if [ -z "${SD_SANITIZE:-}" ] && [ -f "$root$SD_LIBDIR/libsubdef.a" ]; then
  printf 'int main (void) { return 0; }\n' >"$scratch/empty.c"
  # shellcheck disable=SC2086
  $CC -static -fopenmp "$scratch/empty.c" -o "$scratch/empty" 2>/dev/null && statically=yes
fi

both () { # both LANGUAGE SOURCE OUTPUT COMPILER...
  language=$1 source=$root$SD_DOCDIR/docs/examples/$2 wanted=$3
  shift 3
  # shellcheck disable=SC2086
  try "$language-shared" "$@" -Wall -Wextra -Wpedantic -Werror ${SD_SANITIZE:-} $cflags "$source" $libs
  # shellcheck disable=SC2086
  [ $statically = no ] || try "$language-static" "$@" -Wall -Wextra -Werror -static $cflags "$source" $static
}
# shellcheck disable=SC2086
both c codec.c '6144 slots, 351 of them free, 50 values
slot 3120 holds 60, stored was 60' $CC -std=c11
[ "$CXX" != no ] || { echo "no C++ compiler; the C program is all right"; exit 77; }
# shellcheck disable=SC2086
both cxx codec.cpp '20000 values, at most 3 from those given
less than half of the exact bytes' $CXX -std=c++11
if [ $statically = no ]; then
  echo "static programs cannot be made here (sanitizers, or no static C library); the others are all right"
  exit 77
fi
rm -rf "$scratch"
