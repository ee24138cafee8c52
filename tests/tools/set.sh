#!/bin/sh
# subdef set: exact tables and files of endings and of all that they lead to, and a manifest of them. It goes on where it was killed; several
# tasks share it; neither matters for the bytes or the manifest; other options make anew what they change; what is not the set's stays.
build=$(cd "${SD_BUILDDIR:-.}" && pwd) src=$(cd "${SD_SRCDIR:-.}" && pwd)
subdef=$build/tools/subdef
. "$src/tests/syzygy/checks.sh"
. "$src/tests/gen/ranks.sh"
# run STATUS ARGUMENTS...: of set, its exit status; log has what it printed, err its messages
run () {
  expected=$1
  shift
  "$subdef" set "$@" >log 2>err
  [ $? -eq "$expected" ] || { cat err; return 1; }
}
# what may differ between runs: time and memory
manifest () { grep -v '"cpu_s"\|"memory_bytes"' "$1/manifest.json"; }
same () {
  for f in one/*.sdt; do cmp "$f" "$1/${f#one/}" || return 1; done
  manifest one >a && manifest "$1" >b && cmp a b
}
files () { [ "$(ls "$2" | grep -c 'sdt$')" -eq "$1" ]; }

# ------------------------------------------------------------------ a set
check "an ending and what it leads to" run 0 KRvKB -m wdl,dtm -o one
check "an ending: a file of each metric for it, KRvK and KBvK" files 6 one
check "an ending: the lines of files, the larger endings behind" has '^KRvKB  *dtm  *29,256 bytes'
check "an ending: exact tables, locks and logs are gone" [ ! -e one/work ]
check "an ending: the manifest has the positions of KRvKB won by White" \
  sh -c 'tr -d " \n" <one/manifest.json | grep -q "\"table\":\"KRvKB\",.*\"metric\":\"wdl\".*\"won\":"'
check "an ending: three exact tables have their rows, too" [ "$(sed -n '/"exact"/,$p' one/manifest.json | grep -c '"table"')" -eq 3 ]
check "an ending: the tables are right" "$subdef" verify one/KRvKB.dtm.sdt --tables one
content=$("$subdef" info --statistics --json one/KRvKB.wdl.sdt --tables one | sed -n 's/.*"checksum": *"\([0-9a-f]*\)".*/\1/p' | head -1)
check "an ending: the checksum of the values is that of subdef info" sh -c "[ -n '$content' ] && grep -q '$content' one/manifest.json"
ls -i one >before
check "again" run 0 KRvKB -m wdl,dtm -o one
check "again: none is made" has '^6 files, .* 0 of them made now'
check "again: no file was touched, no exact table was generated" sh -c 'ls -i one | cmp - before'
rm one/KBvK.wdl.sdt
check "one is gone" run 0 KRvKB -m wdl,dtm -o one
check "one is gone: it alone is made" has '^6 files, .* 1 of them made now'
check "-f" run 0 KBvK -m wdl,dtm -f -o one
check "-f: both are made" has '^2 files, .* 2 of them made now'
check "more of it" run 0 KRvKB KQvK -m wdl,dtm -o one
check "more of it: KQvK alone is made" has '^8 files, .* 2 of them made now'

check "--only" run 0 KRvKB --only -m wdl,dtm -o alone
check "--only: files of what is named alone" files 2 alone
check "--only: they are those of the set" sh -c 'for m in wdl dtm; do cmp one/KRvKB.$m.sdt alone/KRvKB.$m.sdt || exit 1; done'
check "--only: exact tables are gone" [ ! -e alone/work ]
check "--only without names" run 2 --men 3 --only -o alone
check "--only without names: it is told" grep -q "only is for endings by name" err
check "--only: files of what it leads to are made without it" run 0 KRvKB -m wdl,dtm -o alone
check "--only: these four" has '^6 files, .* 4 of them made now'

# ------------------------------------------------- other ways to the same
OMP_NUM_THREADS=1 check "one job at a time, one thread" run 0 KRvKB KQvK -m wdl,dtm -o single --jobs 1
check "one job at a time: same files and manifest" same single
check "exact tables that stay" run 0 KRvKB KQvK -m wdl,dtm -o kept --exact kept-exact
check "exact tables that stay: they do" files 4 kept-exact
check "exact tables that stay: same files and manifest" same kept
# tasks of a job array, all at once
for i in 0 1 2; do
  SLURM_ARRAY_TASK_ID=$i SLURM_ARRAY_TASK_COUNT=3 "$subdef" set KRvKB KQvK -m wdl,dtm -q -o tasks 2>err$i &
done
wait
check "three tasks: same files and manifest" same tasks
# a line of progress each half a minute, where a machine is slow
check "three tasks: nothing was wrong" sh -c '! cat err0 err1 err2 | grep -v "^making the set: "'
check "three tasks: nothing is left" [ ! -e tasks/work ]
if command -v mpirun >/dev/null; then
  for np in 2 4; do
    check "mpirun -np $np" mpirun --oversubscribe -np $np "$subdef" set KRvKB KQvK -m wdl,dtm -q -o ranks$np
    check "mpirun -np $np: same files and manifest" same ranks$np
  done
fi

# ------------------------------------------------------------------ killed
kills=20 n=0 hit=0
while [ $n -lt $kills ]; do
  n=$((n + 1))
  timeout -s KILL "0.$((100 + $(od -An -N2 -tu2 /dev/urandom) % 400))" "$subdef" set KRvKB KQvK -m wdl,dtm -q -o killed >/dev/null 2>&1
  [ $? -eq 137 ] && hit=$((hit + 1))
done
check "killed: some runs were" [ $hit -ge 3 ]
check "killed: the run behind them ends" run 0 KRvKB KQvK -m wdl,dtm -q -o killed
check "killed: same files and manifest" same killed
check "killed: nothing is left" [ ! -e killed/work ]

# ------------------------------------------------------------ other options
cp -r one other
check "one metric by another codec" run 0 KRvKB KQvK -m wdl --codec rle -o other
check "one metric by another codec: its files are made anew" has '^4 files, .* 4 of them made now'
check "one metric by another codec: those of the other one are as they were" cmp one/KRvKB.dtm.sdt other/KRvKB.dtm.sdt
cp -r one smaller
check "by another codec if it is smaller" run 0 KRvKB KQvK -m wdl --codec rle --if-smaller -o smaller
check "if it is smaller: it is not for KRvKB" cmp one/KRvKB.wdl.sdt smaller/KRvKB.wdl.sdt
check "if it is smaller: the manifest tells what was tried" grep -q '"tried"' smaller/manifest.json
check "if it is smaller: not tried again" run 0 KRvKB KQvK -m wdl --codec rle --if-smaller -o smaller
check "if it is smaller: nothing is made" has ' 0 of them made now'
check "if it is smaller: what is asked for without it stays, too" run 0 KRvKB KQvK -m wdl --if-smaller -o smaller
check "if it is smaller: nothing is made for that" has ' 0 of them made now'

rm other/KQvK.wdl.sdt && cp one/KRvK.wdl.sdt other/KQvK.wdl.sdt
check "-f --if-smaller in the place of another file" run 0 KQvK -m wdl --codec rle -f --if-smaller -o other
check "-f --if-smaller: the file is that of the manifest" run 0 KQvK -m wdl --codec rle -o other
check "-f --if-smaller: nothing is left to be made" has ' 0 of them made now'

# ------------------------------------------------------- several in one folder
# tasks that come one after the other while others work
for i in 0 1 2 3 4 5 6 7; do
  SLURM_ARRAY_TASK_ID=$i SLURM_ARRAY_TASK_COUNT=8 "$subdef" set --men 3 -m wdl,dtm,wdl50,dtz50 -q -o late 2>late$i &
  sleep 0.07
done
wait
check "tasks that come later: nothing was wrong" sh -c '! cat late? | grep -v "^making the set: "'
check "tasks that come later: nothing is left" [ ! -e late/work ]
check "tasks that come later: all is there" run 0 --men 3 -m wdl,dtm,wdl50,dtz50 -o late
check "tasks that come later: nothing is made again" has '^20 files, .* 0 of them made now'
"$subdef" set KRvKN -m dtm -q -o shared 2>err.first &
first=$!
while [ ! -s shared/work/tasks.lock ]; do sleep 0.02; done
check "another command in the folder" run 1 KQvK -m wdl -o shared
check "another command in the folder: why" grep -q 'shared: another command makes another set there; wait for its end' err
wait $first
check "another command in the folder: the first one ends well" [ $? -eq 0 ]
# the program of a file is killed
"$subdef" set KRvKN -m dtm -q -o hit 2>err.hit &
first=$!
until pid=$(pgrep -P $first -f 'reformat KRvKN'); do kill -0 $first || break; sleep 0.01; done
kill -9 $pid
wait $first
check "a killed program: exit 1" [ $? -eq 1 ]
check "a killed program: what became of it" grep -q 'KRvKN.dtm: its program was ended by signal 9' err.hit
check "a killed program: the exact tables of its file stay" [ -e hit/work/exact/KRvKN.dtm.sdt ]
check "a killed program: the same command goes on" run 0 KRvKN -m dtm -q -o hit
check "a killed program: nothing is left" [ ! -e hit/work ]
# an exact table that a killed run has left without a row
"$build/tools/subdef-gen" KQvK -q -o left/work/exact >log
"$subdef" set KQvK -m wdl -q -o left
"$subdef" set KQvK -m wdl -q -o plain
check "an exact table without a row gets one" sh -c 'grep -v "cpu_s\|memory_bytes" left/manifest.json >a; grep -v "cpu_s\|memory_bytes" plain/manifest.json | cmp a -'

# ------------------------------------------------------------------ refused
mkdir -p link/work && ln -s ../../one link/work/made
check "a link in the place of a folder" run 1 KQvK -o link
check "a link in the place of a folder: said" grep -q 'link/work/made: is a link' err
mkdir -p locked/work && ln -s nowhere locked/work/KQvK.wdl.lock
check "a link in the place of a lock" run 1 KQvK -o locked
check "a link in the place of a lock: said" grep -q 'locked/work/KQvK.wdl.lock: cannot be opened' err
mkdir pipe && mkfifo pipe/manifest.json
check "a pipe in the place of the manifest" run 1 KQvK -o pipe
check "exact tables among the files" run 2 KQvK -m dtm -o both --exact both
check "exact tables among the files: said" grep -q 'both: is a folder of the set.s files' err
check "a colon in the name of a folder" run 2 KQvK -o a:b
check "a colon in the name of a folder: said" grep -q 'a:b: a folder of tables cannot have a colon' err
check "a blank in the name of a folder" run 0 KQvK -o 'a b'
check "DTM without WDL" run 0 KQvK -m dtm -o alone
check "DTM without WDL: a note" grep -q 'note: files of dtm are read together with those of wdl: --metric wdl,dtm makes both' err
mkdir strange && echo x >strange/KQvK.wdl.sdt
check "a file that is not the set's" run 1 KQvK -m wdl -o strange
check "a file that is not the set's: it is named, with the remedy" grep -q 'strange/KQvK.wdl.sdt: is there already, and .*-f makes it anew' err
check "a file that is not the set's: it stays" [ "$(cat strange/KQvK.wdl.sdt)" = x ]
check "a file that is not the set's: -f" run 0 KQvK -m wdl -f -o strange
cp -r strange damaged
printf y | dd of=damaged/KQvK.wdl.sdt bs=1 seek=60 conv=notrunc 2>/dev/null
check "a damaged file is refused" run 1 KQvK -m wdl -o damaged
head -c 100 strange/manifest.json >cut && cp cut damaged/manifest.json
check "a manifest that was cut" run 1 KQvK -m wdl -o damaged
check "a manifest that was cut: line and reason" grep -q 'damaged/manifest.json: line [0-9]*: ' err
echo '{"files": 7}' >damaged/manifest.json
check "a manifest of something else" run 1 KQvK -m wdl -o damaged
check "a manifest of something else: said" grep -q 'is not the manifest of a set' err
check "too little memory" run 1 KRvKP -m wdl -o little --memory 45M
check "too little memory: what it takes" grep -q 'KRvKP.exact-dtm: takes some [0-9,]* bytes of memory, and --memory leaves 47,185,920' err
check "an estimate" run 0 KRvKP -m wdl -o estimate --estimate
check "an estimate: a line for the largest, nothing is made" sh -c 'grep -q "^KRvKP .*wdl" log && [ ! -e estimate ]'
check "an estimate needs no folder" sh -c '"$0" set KRvKP -m wdl --estimate | cmp - log' "$subdef"
check "no folder" run 2 KQvK
check "no such metric" run 2 KQvK -m wld -o no
check "a codec that there is not" run 2 KQvK --codec lzmq -o no
check "options that exclude each other" run 2 KQvK --best --layouts papers -o no
check "another game" run 0 --game draughts KvK -m wdl --set block=64 -o draughts
check "another game: its files" sh -c 'ls draughts | grep -q "wdl.sdt$"'
checks_end
