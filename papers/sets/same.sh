#!/bin/sh
# The set of all endings with 3 and 4 men, WDL and DTM, made from nothing by one program, by ranks of mpirun, by one
# thread and by two, and by a program that is killed KILLS times: are bytes and manifest the same each time? same.sh WORK > same.csv
# WORDS: more options, such as --layouts papers, the smallest known. "seconds" are those of the wall, of the killed one together. Any difference ends this script with a message.
set -eu
work=${1:?folder for what is made} words=${WORDS:-} subdef=${SUBDEF:-subdef} kills=${KILLS:-20} men=${MEN:-4}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1
mkdir -p "$work"
seed=1

# what of the manifest does not tell what making took
told () {
  sed -E 's/"(cpu_s|memory_bytes|seconds|load_s)": *[0-9.e+-]+,?//g' "$1/manifest.json"
}

# make NAME COMMAND...: a set in $work/NAME
make () {
  rm -rf "${work:?}/$1"
  name=$1
  shift
  begin=$(date +%s)
  "$@" set --men "$men" --metric wdl,dtm $words -o "$work/$name" -q >/dev/null
  row "$name" $(($(date +%s) - begin))
}

# row NAME SECONDS: compare with the first, and print
row () {
  first=${first:-$1}
  for f in "$work/$first"/*.sdt "$work/$1"/*.sdt; do
    cmp -s "$work/$first/${f##*/}" "$work/$1/${f##*/}" || { echo "$1: ${f##*/} differs from that of $first" >&2; exit 1; }
  done
  told "$work/$first" >"$work/told" && told "$work/$1" | cmp -s "$work/told" - || { echo "$1: manifest.json differs from that of $first" >&2; exit 1; }
  echo "$1,$2,$(find "$work/$1" -name '*.sdt' | wc -l),$(cat "$work/$1"/*.sdt | wc -c)"
}

# killed at a random time of 1 to 15 seconds, all its children with it
killed () {
  rm -rf "${work:?}/killed"
  begin=$(date +%s)
  for i in $(seq "$kills"); do
    seed=$(((seed * 1103515245 + 12345) % 2147483648))
    timeout -s KILL $((1 + seed / 65536 % 15)) setsid -w "$subdef" set --men "$men" --metric wdl,dtm $words -o "$work/killed" -q \
      >/dev/null 2>&1 && echo "killed: ended by itself after $((i - 1)) kills" >&2 && break
    pkill -KILL -f "$work/killed" || :
  done
  "$subdef" set --men "$men" --metric wdl,dtm $words -o "$work/killed" -q >/dev/null
  row killed $(($(date +%s) - begin))
}

echo made_by,seconds,files,bytes
OMP_NUM_THREADS=2 make one "$subdef"
OMP_NUM_THREADS=1 make thread "$subdef"
for np in 1 2 4; do
  OMP_NUM_THREADS=1 make "ranks$np" mpirun --oversubscribe -q -np "$np" "$subdef"
done
killed
