#!/bin/sh
# Fathom's WDL probes in Syzygy's files beside ours:
#   run.sh -f FATHOM -s SYZYGY -o FILE.csv [option...] NAME=PATH... ENDING...
# FATHOM: a source tree of Fathom (https://github.com/jdart1/Fathom), which is no part of this project;
# SYZYGY: .rtbw files of the endings and of all that they convert to; NAME=PATH: WDL tables of ours, as many
# lists of them as are to be compared. Exits 1 if values differ, which the rows of FILE.csv count, 2 if
# anything else fails; with -c a value that differs is such a failure, too.
#   -n N  positions of each ending (10000; with -c 50)        -r SEED  of the positions (1)
#   -v    all values that engines ask Fathom for (rules.c), each NAME=PATH for the endings behind it; SYZYGY: .rtbz files, too
#   -c    what probes read whose tables no memory holds (cold.c), instead of their times (fathom.c)
#   -m    what opening takes, and memory (memory.c)
#   -t    one by one and in batches, as shares of times (together.c)
#   -p PREFIX  an installed subdef; or -b BUILD -S SOURCE  a build that is not installed
set -eu
fathom='' syzygy='' out='' n='' seed=1 program=fathom prefix='' build='' source=''
usage () {
  sed -n '2,13s/^# //p' "$0" >&2
  exit 2
}
while getopts f:s:o:n:r:p:b:S:cmtv option; do
  case $option in
    f) fathom=$OPTARG ;;
    s) syzygy=$OPTARG ;;
    o) out=$OPTARG ;;
    n) n=$OPTARG ;;
    c) program=cold ;;
    m) program=memory ;;
    t) program=together ;;
    v) program=rules ;;
    r) seed=$OPTARG ;;
    p) prefix=$OPTARG ;;
    b) build=$OPTARG ;;
    S) source=$OPTARG ;;
    *) usage ;;
  esac
done
shift $((OPTIND - 1))
[ -n "$fathom" ] && [ -n "$syzygy" ] && [ -n "$out" ] && [ $# -ge 2 ] || usage
[ -n "$n" ] || case $program in fathom | together | rules) n=10000 ;; *) n=50 ;; esac
here=$(cd "$(dirname "$0")" && pwd) || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
# Words of a shell, for eval: names of folders may have blanks in them.
# shellcheck disable=SC2016
if [ -n "$build" ]; then
  { mkdir "$work/subdef" && cp "$source/engine/probe.h" "$source/engine/fathom.h" "$work/subdef/"; } || exit 2
  headers='"-I$work"' libraries='"$build/.libs/libsubdef-probe.a" -lxxhash -lpthread'
else
  [ -z "$prefix" ] || export PKG_CONFIG_PATH="$prefix/lib/pkgconfig:${PKG_CONFIG_PATH-}"
  headers=$(pkg-config --cflags subdef-probe) || exit 2
  libraries=$(pkg-config --libs subdef-probe)' -lpthread' || exit 2
  [ -z "$prefix" ] || export LD_LIBRARY_PATH="$prefix/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
fi
# the same optimisation for both; Fathom's sources are compiled as they are
compile () {
  ${CC:-cc} -std=gnu11 -O3 -march=native "-I$fathom/src" "$@" || exit 2
}
eval "compile -w $headers -c \"\$fathom/src/tbprobe.c\" -o \"\$work/tbprobe.o\""
objects=
if [ $program = rules ]; then
  objects='"$work/theirs.o" "$work/ours.o"'
  eval "compile -w $headers -c \"\$here/calls.c\" -o \"\$work/theirs.o\""
  # both in one program: the names that both define
  eval "compile $headers -DOURS -Dtb_init=ours_init -Dtb_free=ours_free -DTB_LARGEST=ours_largest -c \"\$here/calls.c\" -o \"\$work/ours.o\""
fi
eval "compile $headers \"\$here/\$program.c\" $objects \"\$work/tbprobe.o\" $libraries -o \"\$work/\$program\""
status=0
"$work/$program" "$syzygy" "$n" "$seed" "$@" >"$work/$program.csv" || status=$?
[ $status -gt 1 ] || mv "$work/$program.csv" "$out" || exit 2
exit $status
