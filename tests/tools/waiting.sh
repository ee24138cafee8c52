#!/bin/sh
# Threads of the programs sleep while they wait, unless the user has chosen (tools/waiting.c): how long GCC's library
# says that they spin, when it is loaded the last time. Skipped with another one, and on one core: nothing is done there.
subdef=${SD_BUILDDIR:-.}/tools/subdef generator=${SD_BUILDDIR:-.}/tools/subdef-gen
unset OMP_WAIT_POLICY GOMP_SPINCOUNT KMP_BLOCKTIME KMP_LIBRARY
[ "$(getconf _NPROCESSORS_ONLN)" -gt 1 ] || exit 77
status=0
spins () { env OMP_DISPLAY_ENV=verbose "$@" 2>&1 | sed -n "s/.*GOMP_SPINCOUNT = '\(.*\)'.*/\1/p" | tail -n 1; }
expect () { # SPINS COMMAND...
  want=$1
  shift
  got=$(spins "$@")
  [ "$got" = "$want" ] || { echo "$*: spins $got times, expected $want" >&2; status=1; }
}
[ -n "$(spins "$subdef" list --help)" ] || exit 77
expect 20000 "$generator" --version
expect 20000 "$subdef" gen KRvK --estimate
expect 20000 "$subdef" verify --help
expect 5 env GOMP_SPINCOUNT=5 "$subdef" verify --help
expect 5 env GOMP_SPINCOUNT=5 "$subdef" gen KRvK --estimate
active=$(spins env OMP_WAIT_POLICY=active "$subdef" list --help)
expect "$active" env OMP_WAIT_POLICY=active "$subdef" verify --help
expect "$active" env OMP_WAIT_POLICY=active "$generator" --version
# arguments and name come through
"$subdef" verify --nonsense 2>&1 | grep -q '^subdef.*--nonsense' || { echo "arguments or name are lost" >&2; status=1; }
# a loader that is named runs the program, and is not started in its place
loader=$(LC_ALL=C readelf -l "$subdef" 2>/dev/null | sed -n 's/.*interpreter: \(.*\)\]/\1/p')
if [ -x "$loader" ]; then
  "$loader" "$subdef" verify --help 2>&1 | grep -q '^Usage: subdef verify' || { echo "$loader $subdef: does not run" >&2; status=1; }
fi
exit $status
