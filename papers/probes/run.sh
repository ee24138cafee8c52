#!/bin/sh
# Fathom's WDL probes in Syzygy's files beside ours: run.sh -f FATHOM -s SYZYGY -o FILE.csv [option...] NAME=PATH... ENDING...
# FATHOM: a source tree of Fathom (https://github.com/jdart1/Fathom), which is no part of this project; SYZYGY: .rtbw files of
# the endings and of all that they convert to; NAME=PATH: WDL tables of ours, as many lists of them as are to be compared.
#   -n N  positions of each ending (10000; with -c 50)        -r SEED  of the positions (1)
#   -c    what probes read whose tables no memory holds (cold.c), instead of their times (fathom.c)
#   -p PREFIX  an installed subdef; or -b BUILD -S SOURCE  a build that is not installed
set -eu
fathom='' syzygy='' out='' n='' seed=1 program=fathom prefix='' build='' source=''
usage () {
  sed -n '2,7s/^# //p' "$0" >&2
  exit 2
}
while getopts f:s:o:n:r:p:b:S:c option; do
  case $option in
    f) fathom=$OPTARG ;;
    s) syzygy=$OPTARG ;;
    o) out=$OPTARG ;;
    n) n=$OPTARG ;;
    c) program=cold ;;
    r) seed=$OPTARG ;;
    p) prefix=$OPTARG ;;
    b) build=$OPTARG ;;
    S) source=$OPTARG ;;
    *) usage ;;
  esac
done
shift $((OPTIND - 1))
[ -n "$fathom" ] && [ -n "$syzygy" ] && [ -n "$out" ] && [ $# -ge 2 ] || usage
[ -n "$n" ] || { n=10000; [ $program = fathom ] || n=50; }
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ -n "$build" ]; then
  mkdir "$work/subdef"
  cp "$source/engine/probe.h" "$work/subdef/"
  flags="-I$work" libraries="$build/.libs/libsubdef-probe.a -lxxhash -lpthread"
else
  export PKG_CONFIG_PATH="$prefix/lib/pkgconfig:${PKG_CONFIG_PATH-}"
  flags=$(pkg-config --cflags subdef-probe) libraries="$(pkg-config --libs subdef-probe) -lpthread"
fi
# the same optimisation for both; Fathom's sources are compiled as they are
# shellcheck disable=SC2086
${CC:-cc} -std=gnu11 -O2 -march=native -w -I"$fathom/src" $flags -c "$fathom/src/tbprobe.c" -o "$work/tbprobe.o"
# shellcheck disable=SC2086
${CC:-cc} -std=gnu11 -O2 -march=native -I"$fathom/src" $flags "$here/$program.c" "$work/tbprobe.o" $libraries -o "$work/$program"
status=0
"$work/$program" "$syzygy" "$n" "$seed" "$@" >"$work/$program.csv" || status=$?
[ $status -gt 1 ] || mv "$work/$program.csv" "$out" # 1: values differ, which the rows count
exit $status
