#!/bin/sh
# make check-all, or tests/all.sh [STEP...]: the complete suite in every way in which the project is built. Each step has its own folder
# below build-all/, or where SD_ALL says; a step that has passed is not repeated until the source changes. Hours on 2 cores.
#   gcc, clang       the suite, warnings are errors
#   sanitizers       the suite under AddressSanitizer and UndefinedBehaviorSanitizer
#   no-mpi           without MPI
#   library          the library alone (--disable-tools)
#   distcheck        from a tarball, out of tree
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
all=${SD_ALL:-$top/build-all}
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
steps=${*:-gcc clang sanitizers no-mpi library distcheck}
state=$(cd "$top" && { git rev-parse HEAD; git diff HEAD; } 2>/dev/null | cksum | cut -d' ' -f1)
[ -x "$top/configure" ] || (cd "$top" && autoreconf -fi)

# STEP CONFIGURE-ARGUMENT...
suite () {
  step=$1
  shift
  mkdir -p "$all/$step"
  cd "$all/$step"
  "$top/configure" -q --enable-werror "$@"
  make -j "$jobs" V=0 && make -j "$jobs" check V=0
}
run () {
  case $1 in
  gcc) suite gcc CC=gcc CXX=g++ ;;
  clang) suite clang CC=clang CXX=clang++ ;;
  sanitizers) suite sanitizers --enable-sanitizers CFLAGS='-O1 -g' ;;
  no-mpi) suite no-mpi --disable-mpi ;;
  library) suite library --disable-tools ;;
  distcheck)
    mkdir -p "$all/distcheck"
    cd "$all/distcheck"
    "$top/configure" -q
    make -j "$jobs" V=0 && make distcheck V=0
    ;;
  *) echo "tests/all.sh: no step '$1'; there are gcc clang sanitizers no-mpi library distcheck" >&2; exit 2 ;;
  esac
}
failed=
for step in $steps; do
  if [ "$(cat "$all/$step.passed" 2>/dev/null)" = "$state" ]; then
    echo "== $step: passed before"
    continue
  fi
  mkdir -p "$all"
  echo "== $step (log: $all/$step.log)"
  if (run "$step") > "$all/$step.log" 2>&1; then
    echo "$state" > "$all/$step.passed"
    grep -E '^# (TOTAL|SKIP):' "$all/$step.log" | tail -n 2
  else
    failed="$failed $step"
    grep -E '^(FAIL|ERROR|.*error:|.*\*\*\*)' "$all/$step.log" | head -n 20
  fi
done
[ -z "$failed" ] || { echo "failed:$failed" >&2; exit 1; }
