#!/bin/sh
# What a probe takes by libsubdef-probe, by libsubdef, by the two files of amalgamation/ that engines copy, and by an older libsubdef-probe
# (copied.c):
#   copied.sh [-b BUILD] [-O BUILD] [-w FOLDER] [-n POSITIONS] [-p PROCESSES] [-o FILE.csv] [ENDING...]
# The build makes the tables and the two files; nothing else is needed. Exits 1 if values differ, 2 if anything else fails.
#   -b BUILD  folder of the build (build)            -w FOLDER  where tables are kept for the next run (a temporary one)
#   -O BUILD  folder of a build of an older state, whose libsubdef-probe.a is measured, too (none)
#   -n N  positions of each ending (10000)           -p N  processes, since each has its own layout of memory (8)
#   -o FILE.csv  (copied.csv beside this script)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=build older='' work='' n=10000 processes=8 out=$here/copied.csv
while getopts b:O:w:n:p:o: option; do
  case $option in
    b) build=$OPTARG ;;
    O) older=$OPTARG ;;
    w) work=$OPTARG ;;
    n) n=$OPTARG ;;
    p) processes=$OPTARG ;;
    o) out=$OPTARG ;;
    *) sed -n '2,9s/^# //p' "$0" >&2; exit 2 ;;
  esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || set -- KPvK KQvKR KRvKP KBNvK KPvKP
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
[ -n "$work" ] || work=$scratch
build=$(cd "$build" && pwd) || exit 2
[ -z "$older" ] || [ -f "$older/.libs/libsubdef-probe.a" ] || { echo "copied.sh: $older: no .libs/libsubdef-probe.a there" >&2; exit 2; }
mkdir -p "$work"

# tables: two codecs whose probes take some hundred nanoseconds, and one whose probes decode a block within microseconds
"$build/tools/subdef" gen "$@" -q -o "$work/exact" || exit 2
for codec in repair obdd trees,slots=64; do
  settings=${codec#"${codec%%,*}"} codec=${codec%%,*}
  "$build/tools/subdef" reformat "$@" --with-successors --metric wdl --freedom all+queen --codec "$codec" ${settings:+--set "${settings#,}"} --tables "$work/exact" -o "$work/$codec" -q || exit 2
done

# The ways stand in one program. What no public function needs is left out, and the other names are hidden.
make -C "$build" amalgamation >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; exit 2; }
# for the same processors as the libraries
native=$(grep -q '^SD_CFLAGS = .*-march=native' "$build/Makefile" && echo -march=native) || native=
compile () { ${CC:-cc} -std=gnu11 -O3 ${native:+"$native"} "$@" || exit 2; }
# apart PREFIX FILE.o: its public functions get the prefix
apart () {
  for name in open wdl close; do echo "sd_prober_$name"; done >"$scratch/public"
  sed "s/.*/& $1&/" "$scratch/public" >"$scratch/renamed"
  "${OBJCOPY:-objcopy}" --keep-global-symbols="$scratch/public" "$2" && "${OBJCOPY:-objcopy}" --redefine-syms="$scratch/renamed" "$2" || exit 2
}
# whole LIBRARY FILE.o: what its public functions need, as one object
whole () { "${LD:-ld}" -r -u sd_prober_open -u sd_prober_wdl -u sd_prober_close "$1" -o "$2" || exit 2; }
whole "$build/.libs/libsubdef-probe.a" "$scratch/probe.o"
whole "$build/.libs/libsubdef.a" "$scratch/full.o"
apart full_ "$scratch/full.o"
compile -w -c "$build/subdef_probe.c" -o "$scratch/copied.o"
apart copied_ "$scratch/copied.o"
if [ -n "$older" ]; then
  whole "$older/.libs/libsubdef-probe.a" "$scratch/before.o"
  apart before_ "$scratch/before.o"
fi
mkdir "$scratch/subdef" && cp "$here/../../engine/probe.h" "$scratch/subdef/"
compile "-I$scratch" -c "$here/copied.c" -o "$scratch/main.o"

echo ending,tables,way,process,positions,passes,ns >"$scratch/rows"
endings=$*
# Where code happens to lie makes it some per cent faster or slower: processes are linked in other orders, all turns of one and of its reverse, as often as
# another one if there are eight processes, or six without an older library.
set -- probe full copied ${older:+before}
turns=$#
process=0
while [ $process -lt "$processes" ]; do
  # shellcheck disable=SC2046
  (cd "$scratch" && compile main.o $(printf '%s.o ' "$@") $(sed -n 's/^Libs.private: *//p' "$build/subdef.pc") -o copied) || exit 2
  # shellcheck disable=SC2086 # a list of names
  "$scratch/copied" $process "$n" 1 "repair=$work/repair" "obdd=$work/obdd" "trees=$work/trees" $endings >>"$scratch/rows"
  first=$1
  shift
  set -- "$@" "$first"
  if [ $(((process + 1) % turns)) -eq 0 ]; then
    if [ "$1" = probe ]; then set -- ${older:+before} copied full probe; else set -- probe full copied ${older:+before}; fi
  fi
  process=$((process + 1))
done
mv "$scratch/rows" "$out"
