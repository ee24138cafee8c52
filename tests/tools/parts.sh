#!/bin/sh
# subdef reformat --parts: the sides of a table are coded part by part, by one program or by several; the values are those of the whole
# table, the bytes do not depend on who makes which part, on threads or on kills, and what cannot be coded so is refused beforehand.
build=$(cd "${SD_BUILDDIR:-.}" && pwd) src=$(cd "${SD_SRCDIR:-.}" && pwd)
subdef=$build/tools/subdef
. "$src/tests/syzygy/checks.sh"
. "$src/tests/gen/ranks.sh"
ln -s "$build/tests/tables" exact || exit 99
ending=KQvKR file=KQvKR.wdl.sdt
# make FOLDER ARGUMENTS...
make () {
  to=$1
  shift
  "$subdef" reformat $ending --codec repair --tables exact -q -o "$to" "$@" >log 2>err || { cat err; return 1; }
}
content () { "$subdef" info --statistics --json "$1" --tables "$2" | sed -n 's/.*"checksum": *"\([0-9a-f]*\)".*/\1/p'; }
refused () { # TEXT ARGUMENTS...
  text=$1
  shift
  "$subdef" reformat $ending --tables exact:pawn -q -o no "$@" >log 2>err
  [ $? -ne 0 ] && grep -q -- "$text" err || { cat err; return 1; }
  [ ! -e no/$file ] && [ ! -e no/$file.pieces ]
}

check "the whole table" make whole
check "five parts" make five --parts 5
check "five parts: the values are those of the whole table" [ "$(content whole/$file exact)" = "$(content five/$file exact)" ]
check "five parts: they are right" "$subdef" verify five/$file --tables five:exact
"$build/tools/subdef-gen" KPvK -q -o pawn >log 2>&1 || exit 99
check "with pawns" "$subdef" reformat KPvK --codec repair --parts 2 --tables pawn -q -o two
check "with pawns: it is right" "$subdef" verify two/KPvK.wdl.sdt --tables two:pawn
check "five parts: another file" sh -c "! cmp -s whole/$file five/$file"
check "five parts: the format's version" sh -c "'$subdef' info five/$file | grep -q 'format version 9'"
check "five parts: nothing is left beside the table" [ ! -e five/$file.pieces ]
ls -i five/$file >before
check "again" make five --parts 5
check "again: it is kept" sh -c "ls -i five/$file | cmp - before"
check "again, in other parts: it is told" sh -c "'$subdef' reformat KQvKR --codec repair --parts 6 --tables exact -q -o five 2>&1 | grep -q 'made otherwise'"
OMP_NUM_THREADS=1 check "one thread" make one --parts 5
check "one thread: the same file" cmp one/$file five/$file
for codec in huffman trees forest; do
  "$subdef" reformat KPvK -m dtm --codec $codec --parts 2 --tables pawn -q -o "$codec" >log 2>err || cat err
  "$subdef" reformat KPvK -m wdl --tables pawn -q -o "$codec" >log 2>err || cat err
  check "$codec, DTM in two parts: it is right" "$subdef" verify $codec/KPvK.dtm.sdt --tables $codec:pawn
done

# ------------------------------------------------------------------ several programs
for task in 1 2 3; do make shared --parts 5 & done
wait
check "three at once: the same file" cmp shared/$file five/$file
check "three at once: nothing is left" [ ! -e shared/$file.pieces ]
if command -v mpirun >/dev/null; then
  check "mpirun -np 3" mpirun --oversubscribe -np 3 "$subdef" reformat KQvKR --codec repair --parts 5 --tables exact -q -o ranks
  check "mpirun -np 3: the same file" cmp ranks/$file five/$file
fi

for task in 1 2 3 4; do "$subdef" reformat KPvK --with-successors --codec repair --parts 2 --tables pawn -q -o many >log$task 2>&1 & done
wait
check "four tasks, all tables below: nobody complains" sh -c '! cat log[1-4] | grep .'
check "four tasks: all is there, and nothing else" [ "$(ls many | grep -c -v list)" -eq "$(ls many/*.wdl.sdt | wc -l)" ]
check "four tasks: it is right" "$subdef" verify many/KPvK.wdl.sdt --tables many:pawn
SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_COUNT=2 check "a task that comes late" "$subdef" reformat KPvK --with-successors --codec repair --parts 2 --tables pawn -q -o many

# ------------------------------------------------------------------ kills and damage
# An ending whose parts take seconds, so that there is time to stop and kill.
ending=KRvKP file=KRvKP.wdl.sdt
make five --parts 5
# The first program is stopped inside a part, which it has claimed.
parts=killed/$file.pieces
"$subdef" reformat $ending --codec repair --tables exact -q -o killed --parts 5 >/dev/null 2>&1 &
first=$!
until [ -e $parts/w2.lock ]; do sleep 0.02; kill -0 $first 2>/dev/null || break; done
kill -STOP $first
"$subdef" reformat $ending --codec repair --parts 4 --tables exact -q -o killed >log 2>err
check "another command for the same table is refused" grep -q "another command makes other parts there; wait for its end" err
make killed --parts 5 &
second=$!
n=0
until [ "$(ls $parts/*.part | wc -l)" -ge 9 ] || [ $n -gt 600 ]; do n=$((n + 1)); sleep 0.1; done
sleep 1
check "one part is claimed: the others are made, and it is waited for" sh -c "[ \$(ls $parts/*.part | wc -l) -eq 9 ] && [ ! -e killed/$file ] && kill -0 $second"
kill -KILL $first
wait $second
check "its holder is killed: it is made, the same file" cmp killed/$file five/$file
check "nothing is left" [ ! -e $parts ]

rm -r killed
"$subdef" reformat $ending --codec repair --tables exact -q -o killed --parts 5 >/dev/null 2>&1 &
first=$!
until [ -e $parts/w2.part ]; do sleep 0.02; kill -0 $first 2>/dev/null || break; done
kill -KILL $first
wait $first 2>/dev/null
check "killed: its parts are there, and no table" sh -c "[ -e $parts/w0.part ] && [ ! -e killed/$file ]"
cp -r killed other
printf damaged >$parts/w1.part
ls -i $parts/w0.part >before
make killed --parts 5 &
second=$!
until [ "$(wc -c <$parts/w1.part)" -gt 100 ] || ! kill -0 $second 2>/dev/null; do sleep 0.02; done
kill -STOP $(pgrep -P $second)
check "started again: a part that is whole is kept" sh -c "ls -i $parts/w0.part | cmp - before"
kill -CONT $(pgrep -P $second)
wait $second
check "started again, a part was damaged: the same file" cmp killed/$file five/$file
touch other/$file.pieces/w9.part other/$file.pieces/w0.part.elsewhere.7.tmp
check "parts of other settings are left" make other --set block=128 --parts 5
make fresh --set block=128 --parts 5
check "parts of other settings: the file is as if there were none" cmp other/$file fresh/$file
check "parts of other settings: nothing is left" [ ! -e other/$file.pieces ]
cp five/$file fresh/six && mkdir five/$file.pieces && cp fresh/six five/$file.pieces/w0.part && touch five/$file.pieces/tasks.lock
check "a folder beside a table that is kept" make five --parts 5
check "a folder beside a table that is kept: it goes" [ ! -e five/$file.pieces ]

ending=KQvKR file=KQvKR.wdl.sdt
mkdir whole/$file.pieces && touch whole/$file.pieces/tasks.lock whole/$file.pieces/w0.part
check "a folder of parts that another command wanted" make whole -f
check "a folder of parts that another command wanted: it goes" [ ! -e whole/$file.pieces ]

# ------------------------------------------------------------------ what is refused
check "diagrams" refused "a stream of codec obdd is not cut into pieces; with --codec one of .*repair.*trees.* is" --parts 4096
check "one stream for both" refused "sides 'joint' must be coded whole" --codec repair --sides joint --parts 5
check "the smaller side" refused "sides 'one' must be coded whole" --codec repair --sides one --parts 5
check "a search" refused "--parts and --best exclude each other" --best --parts 5
check "a bound on memory that parts would keep" refused "in parts (--parts [0-9]*) it takes some [0-9,]*" --codec repair --memory 45M
check "an estimate" refused "--parts and --estimate exclude each other" --codec repair --parts 5 --estimate
check "one part" refused "a number from 2 to 4096" --codec repair --parts 1
check "more parts than may be" refused "a number from 2 to 4096" --codec repair --parts 4097
ending=KPvK file=KPvK.wdl.sdt
check "parts that do not pay" refused "take fewer" --codec repair --parts 256
# 96 slots in a part, which fill no block
ending=KQvK file=KQvK.wdl.sdt
check "more parts than blocks" refused "take fewer" --codec huffman --parts 512
checks_end
