#!/bin/sh
# CMake finds what `make install` leaves, also where it was moved: the examples are built from the installed files alone, run, and other
# versions are refused.
set -u
: "${SD_SRCDIR:?}" "${SD_BUILDDIR:?}" "${SD_DOCDIR:?}" "${SD_PREFIX:?run it by make check}"
command -v cmake >/dev/null || { echo "no cmake"; exit 77; }
[ "${SD_CXX:-no}" != no ] || { echo "no C++ compiler"; exit 77; }
[ -f "$SD_BUILDDIR/.libs/libsubdef.so" ] || { echo "no shared library was built"; exit 77; }
scratch=$SD_BUILDDIR/tests/build/cmake
fail () { echo "FAIL: $*" >&2; exit 1; }
export CC="${SD_CC:-cc}" CXX="$SD_CXX" CFLAGS="-Wall -Wextra ${SD_SANITIZE:-}" CXXFLAGS="-Wall -Wextra ${SD_SANITIZE:-}"
# another make: it is not to take part in the jobs of the one that runs the tests
unset MAKEFLAGS MFLAGS MAKELEVEL DESTDIR
export CMAKE_BUILD_PARALLEL_LEVEL=1

rm -rf "$scratch" && mkdir -p "$scratch" || exit 99
make -C "$SD_BUILDDIR" install-libLTLIBRARIES install-subdefincludeHEADERS install-cmakeDATA install-dist_exampleDATA \
  DESTDIR="$scratch/root" >"$scratch/install.log" 2>&1 || { tail -n 5 "$scratch/install.log" >&2; fail "make install"; }
examples=$scratch/root$SD_DOCDIR/docs/examples prefix=$scratch/root$SD_PREFIX

built () { # built NAME PREFIX: the examples against the files below PREFIX
  cmake -S "$examples" -B "$scratch/$1" -DCMAKE_PREFIX_PATH="$2" >"$scratch/$1.log" 2>&1 \
    && cmake --build "$scratch/$1" >>"$scratch/$1.log" 2>&1 || { tail -n 20 "$scratch/$1.log" >&2; fail "$1"; }
  for kind in c cpp; do
    "$scratch/$1/codec-$kind" "$scratch/$1/$kind.sda" >"$scratch/said" || fail "$1: codec-$kind"
    [ -s "$scratch/$1/$kind.sda" ] || fail "$1: codec-$kind wrote nothing"
    "$scratch/$1/engine-$kind" "$SD_SRCDIR/tests/data/engine" '8/8/8/8/8/3k4/8/K6Q w - - 0 1' >"$scratch/said" 2>&1 || fail "$1: engine-$kind: $(cat "$scratch/said")"
    grep -q '^won, mate in 13 plies$' "$scratch/said" || fail "$1: engine-$kind says $(cat "$scratch/said")"
  done
  # the library is the one below PREFIX, and an engine is linked with the small one alone
  ldd "$scratch/$1/engine-c" 2>/dev/null >"$scratch/needs" || return 0
  grep -q "libsubdef-probe.so.0 => $2/" "$scratch/needs" || fail "$1: engine-c needs $(cat "$scratch/needs")"
  grep -q 'libsubdef\.so' "$scratch/needs" && fail "$1: engine-c needs libsubdef, too"
  ldd "$scratch/$1/codec-c" | grep -q "libsubdef.so.0 => $2/" || fail "$1: codec-c needs $(ldd "$scratch/$1/codec-c")"
}
built destdir "$prefix"
# with all files in another folder
mv "$prefix" "$scratch/moved" || exit 99
examples=$scratch/moved${SD_DOCDIR#"$SD_PREFIX"}/docs/examples
built moved "$scratch/moved"

mkdir "$scratch/versions" || exit 99
cat >"$scratch/versions/CMakeLists.txt" <<'TEXT'
cmake_minimum_required (VERSION 3.13)
project (versions C)
find_package (subdef ${WANTED} QUIET)
message ("found: ${subdef_FOUND} ${subdef_VERSION} ${subdef_NOT_FOUND_MESSAGE}")
TEXT
version=$(sed -n 's/^set (PACKAGE_VERSION "\(.*\)")/\1/p' "$(find "$scratch/moved" -name subdefConfigVersion.cmake)")
[ -n "$version" ] || fail "the configuration has no version"
found () { # found WANTED: with what find_package says
  rm -f "$scratch/versions/CMakeCache.txt"
  cmake -S "$scratch/versions" -B "$scratch/versions" -DCMAKE_PREFIX_PATH="$scratch/moved" -DWANTED="$1" 2>&1 | sed -n 's/^found: //p'
}
major=${version%%.*} rest=${version#*.}
minor=${rest%%.*}
for wanted in '' "$major" "$major.$minor" "$version" "$version;EXACT" "$major.$minor...$((major + 1))" "0...$version"; do
  case $(found "$wanted") in
  "1 $version"* | "TRUE $version"*) ;;
  *) fail "version $version does not fit '$wanted': $(found "$wanted")" ;;
  esac
done
for wanted in "$version.1" "$major.$((minor + 1))" $((major + 1)) "$version.1;EXACT" "$major.$minor;EXACT" "$((major + 1))...$((major + 2))" "0...<$version"; do
  [ "$wanted" != "$major.$minor;EXACT" ] || [ "$rest" != "$minor.0" ] || continue # the same version
  case $(found "$wanted") in
  0*) ;;
  *) fail "version $version fits '$wanted': $(found "$wanted")" ;;
  esac
done
# a configuration without its library is no configuration
rm -f "$(find "$scratch/moved" -name libsubdef-probe.so)"
case $(found '') in
*'there is no shared library '*libsubdef-probe.so*) ;;
*) fail "without libsubdef-probe.so: $(found '')" ;;
esac
rm -rf "$scratch"
