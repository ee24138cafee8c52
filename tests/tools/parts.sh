#!/bin/sh
# subdef reformat --parts: the sides of a table are coded part by part, by one program or by several; the values are those of the whole
# table, the bytes do not depend on who makes which part, on threads or on kills, and what cannot be coded so is refused beforehand.
build=$(cd "${SD_BUILDDIR:-.}" && pwd) src=$(cd "${SD_SRCDIR:-.}" && pwd)
subdef=$build/tools/subdef
. "$src/tests/syzygy/checks.sh"
. "$src/tests/gen/ranks.sh"
"$build/tools/subdef-gen" KRvKP -q -o exact >log 2>&1 || exit 99
file=KRvKP.wdl.sdt
# make FOLDER ARGUMENTS...
make () {
  to=$1
  shift
  "$subdef" reformat KRvKP --codec repair --tables exact -q -o "$to" "$@" >log 2>err || { cat err; return 1; }
}
content () { "$subdef" info --statistics --json "$1" --tables "$2" | sed -n 's/.*"checksum": *"\([0-9a-f]*\)".*/\1/p'; }
refused () { # TEXT ARGUMENTS...
  text=$1
  shift
  "$subdef" reformat KRvKP --tables exact -q -o no "$@" >log 2>err
  [ $? -ne 0 ] && grep -q -- "$text" err || { cat err; return 1; }
  [ ! -e no/$file ] && [ ! -e no/$file.parts ]
}

check "the whole table" make whole
check "five parts" make five --parts 5
check "five parts: the values are those of the whole table" [ "$(content whole/$file exact)" = "$(content five/$file exact)" ]
check "five parts: they are right" "$subdef" verify five/$file --tables five:exact
check "five parts: another file" sh -c "! cmp -s whole/$file five/$file"
check "five parts: the format's version" sh -c "'$subdef' info five/$file | grep -q 'format version 9'"
check "five parts: nothing is left beside the table" [ ! -e five/$file.parts ]
ls -i five/$file >before
check "again" make five --parts 5
check "again: it is kept" sh -c "ls -i five/$file | cmp - before"
check "again, in other parts: it is told" sh -c "'$subdef' reformat KRvKP --codec repair --parts 6 --tables exact -q -o five 2>&1 | grep -q 'made otherwise'"
OMP_NUM_THREADS=1 check "one thread" make one --parts 5
check "one thread: the same file" cmp one/$file five/$file
for codec in huffman trees forest; do
  "$subdef" reformat KRvKP -m dtm --codec $codec --parts 2 --tables exact -q -o "$codec" >log 2>err || cat err
  "$subdef" reformat KRvKP -m wdl --tables exact -q -o "$codec" >log 2>err || cat err
  check "$codec, DTM in two parts: it is right" "$subdef" verify $codec/KRvKP.dtm.sdt --tables $codec:exact
done

# ------------------------------------------------------------------ several programs
for task in 1 2 3; do make shared --parts 5 & done
wait
check "three at once: the same file" cmp shared/$file five/$file
check "three at once: nothing is left" [ ! -e shared/$file.parts ]
if command -v mpirun >/dev/null; then
  check "mpirun -np 3" mpirun --oversubscribe -np 3 "$subdef" reformat KRvKP --codec repair --parts 5 --tables exact -q -o ranks
  check "mpirun -np 3: the same file" cmp ranks/$file five/$file
fi

# ------------------------------------------------------------------ kills and damage
# somebody is at the last part, so that the others are made, and then this one is waited for
mkdir -p killed/$file.parts
flock killed/$file.parts/b4.lock sleep 600 &
holder=$!
make killed --parts 5 &
worker=$!
until [ -e killed/$file.parts/b3.part ]; do sleep 0.1; kill -0 $worker 2>/dev/null || break; done
pkill -KILL -P $worker
wait $worker 2>/dev/null
check "killed: its parts are there, and no table" sh -c "[ -e killed/$file.parts/w0.part ] && [ ! -e killed/$file ]"
printf damaged >killed/$file.parts/w1.part
ls -i killed/$file.parts/w0.part >before
ls -i killed/$file.parts/w1.part >damaged
make killed --parts 5 &
worker=$!
until [ "$(wc -c <killed/$file.parts/w1.part)" -gt 100 ]; do sleep 0.1; kill -0 $worker 2>/dev/null || break; done
check "started again: a part that is whole is kept" sh -c "ls -i killed/$file.parts/w0.part | cmp - before"
check "started again: a damaged one is made anew" sh -c "! ls -i killed/$file.parts/w1.part | cmp -s - damaged"
"$subdef" reformat KRvKP --codec repair --parts 4 --tables exact -q -o killed >log 2>err
check "another command for the same table is refused" grep -q "another command makes other parts there; wait for its end" err
pkill -P $holder
wait $worker
check "the part that was waited for is made: the same file" cmp killed/$file five/$file
check "nothing is left" [ ! -e killed/$file.parts ]
mkdir -p other/$file.parts
cp five/$file other/$file.parts/w0.part
check "what is no part of this table is no use" make other --parts 5
check "what is no part: the same file" cmp other/$file five/$file

# ------------------------------------------------------------------ what is refused
check "diagrams" refused "a stream of codec obdd is not cut into pieces; those of .*repair.*trees.* are" --parts 5
check "one stream for both" refused "sides 'joint' must be coded whole" --codec repair --sides joint --parts 5
check "the smaller side" refused "sides 'one' must be coded whole" --codec repair --sides one --parts 5
check "a search" refused "--parts and --best exclude each other" --best --parts 5
check "a bound on memory that parts would keep" refused "in parts (--parts [0-9]*) it takes some [0-9,]*" --codec repair --memory 55M
check "one part" refused "a number from 2 to 4096" --codec repair --parts 1
check "forests that do not pay" refused "make larger ones" --codec trees --parts 16
checks_end
