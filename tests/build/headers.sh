#!/bin/sh
# Each installed header compiles alone, and all of them together, as C11 and as C++11, without a warning.
set -u
: "${SD_SRCDIR:?}" "${SD_HEADERS:?run it by make check}"
CC=${SD_CC:-cc}
CXX=${SD_CXX:-no}
warn='-Wall -Wextra -Wpedantic -Werror -Wno-unused-function'
bad=0

alone () { # alone HEADER LANGUAGE COMPILER...: HEADER may be several
  header=$1 language=$2
  shift 2
  # shellcheck disable=SC2086
  if ! printf '#include <%s>\n' $header | "$@" $warn -I "$SD_SRCDIR" -x "$language" -fsyntax-only -; then
    echo "FAIL: $header does not compile alone: $*" >&2
    bad=1
  fi
}

for header in $SD_HEADERS; do
  grep -q '^extern "C" {' "$SD_SRCDIR/$header" || { echo "FAIL: $header gives its functions C++ names in C++" >&2; bad=1; }
  # shellcheck disable=SC2086
  alone "$header" c $CC -std=c11 -Wstrict-prototypes -Wwrite-strings
  # shellcheck disable=SC2086
  [ "$CXX" = no ] || alone "$header" c++ $CXX -std=c++11
done
# shellcheck disable=SC2086
alone "$SD_HEADERS" c $CC -std=c11
# shellcheck disable=SC2086
[ "$CXX" = no ] || alone "$SD_HEADERS" c++ $CXX -std=c++11
[ $bad = 0 ] || exit 1
[ "$CXX" != no ] || { echo "no C++ compiler; the headers were tried as C only"; exit 77; }
