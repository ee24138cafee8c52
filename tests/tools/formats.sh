#!/bin/sh
# subdef reformat --to: each format made of values in each other one, with the same bytes as the older commands; killed, again, by tasks;
# options, files and names that do not go together.
build=$(cd "${SD_BUILDDIR:-.}" && pwd) src=$(cd "${SD_SRCDIR:-.}" && pwd)
subdef=$build/tools/subdef gen=$build/tools/subdef-gen
. "$src/tests/syzygy/checks.sh"
lines () { [ "$(grep -c . "$2")" -eq "$1" ]; }
# run STATUS COMMAND ARGUMENTS...: its exit status; log has what it printed, err its messages
run () {
  expected=$1
  shift
  "$subdef" "$@" >log 2>err
  [ $? -eq "$expected" ] || { cat err; return 1; }
}
# bad TITLE STATUS PATTERN ARGUMENTS...: of reformat: one line on stderr that says so, nothing on stdout, no file
bad () {
  title=$1 status=$2 pattern=$3
  shift 3
  rm -rf none
  check "$title: exit $status" run "$status" reformat "$@" -o none
  check "$title: one sentence says so" sh -c 'grep -q -e "$1" err && [ "$(grep -c . err)" -eq 1 ] || { cat err; exit 1; }' sh "$pattern"
  check "$title: nothing is made" sh -c '! ls none 2>/dev/null | grep "rtb\|sdt"'
}
same () { # N FOLDER OTHER: the files of the first folder, of which there are N, are in the other, byte for byte
  [ "$(ls "$2" | grep -c -v '\.list$')" -eq "$1" ] || { ls "$2"; return 1; }
  for f in "$2"/*.*; do case $f in *.list) ;; *) cmp "$f" "$3/${f##*/}" || return 1 ;; esac; done
}
few="KQvK KRvK KBvK KNvK" # KPvK takes seconds

env ASAN_OPTIONS=detect_leaks=0 "$gen" --men 3 -q -o dtm >log 2>&1 || exit 99
env ASAN_OPTIONS=detect_leaks=0 "$gen" --men 3 --metric dtz50 -q -o dtz >log 2>&1 || exit 99

# ------------------------------------------------- exact tables -> Syzygy files
check "exact to both files" run 0 reformat --to rtbw,rtbz --men 3 --tables dtz -o sy
check "exact to both files: how many" has '^10 of 10 tables made, 0 were there; '
check "exact to both files: a line for each" has '^KRvK     rtbz      7,120 bytes  ([0-9.]* s, every position compared)$'
check "exact to both files: as by export" run 0 export --syzygy exported --tables dtz KQvK KRvK KBvK KNvK KPvK
check "exact to both files: as by export, the same bytes" same 10 sy exported
check "exact to both files: verified" "$subdef" verify sy/*
check "exact to both files: again" run 0 reformat --to rtbw,rtbz --men 3 --tables dtz -o sy
check "exact to both files: again: none is made" has '^0 of 10 tables made, 10 were there; '
rm sy/KQvK.rtbz
check "one is gone" run 0 reformat --to rtbw,rtbz --men 3 --tables dtz -o sy
check "one is gone: it alone is made" has '^1 of 10 tables made, 9 were there; '
check "export knows what reformat made" run 0 export --syzygy sy --tables dtz KQvK
check "export knows what reformat made: kept" has '^KQvK     rtbz .* made before$'
check "with more effort" run 1 reformat --to rtbw KRvK --high --tables dtz -o sy
check "with more effort: made otherwise" grep -q 'sy/KRvK.rtbw: is there already, made otherwise' err
rm exported/made.list
check "export passes over files that no list names" run 0 export --syzygy exported --tables dtz KQvK
check "export passes over files that no list names: said" has '^KQvK     rtbw .* there already$'
check "reformat does not" run 1 reformat --to rtbw KQvK --tables dtz -o exported
check "with successors" run 0 reformat --to rtbw KPvK --with-successors --tables dtz -o below
check "with successors: all are there" [ "$(ls below/*.rtbw | wc -l)" -eq 5 ]
# shellcheck disable=SC2086
check "several at a time" run 0 reformat --to rtbw,rtbz $few --jobs 2 --tables dtz -o two
check "several at a time: the same bytes" same 8 two exported
check "of the file of an exact table" run 0 reformat --to rtbz dtz/KRvK.dtz50.sdt -o of
check "of the file of an exact table: the same bytes" cmp of/KRvK.rtbz exported/KRvK.rtbz
check "two formats at once" run 0 reformat --to sdt,rtbw KRvK --metric wdl50 --tables dtz -o of
check "two formats at once: both are there" [ -s of/KRvK.wdl50.sdt -a -s of/KRvK.rtbw ]

# ------------------------------------------------- Syzygy files -> .sdt
check "Syzygy to sdt" run 0 reformat sy/KPvK.rtbw sy/KPvK.rtbz --codec huffman -o sdt
check "Syzygy to sdt: what was compared" has '^KPvK     dtz50 .*every position restored and compared with KPvK.rtbw and KPvK.rtbz)$'
check "info of a Syzygy file" run 0 info sy/KPvK.rtbw
check "info of a Syzygy file: what a dictionary holds" has '; [0-9,]* blocks*, [0-9,]* phrases$'
check "info of words" run 0 info sdt/KPvK.wdl50.sdt
check "info of words: what a dictionary holds" has '; [0-9,]* blocks*, [0-9,]* phrases$'
check "Syzygy to sdt: as by import" run 0 import sy/KPvK.rtbw sy/KPvK.rtbz --codec huffman -o imported
check "Syzygy to sdt: as by import, the same bytes" same 2 sdt imported
check "Syzygy to sdt: verified against the exact table" run 0 verify --against dtz sdt/KPvK.dtz50.sdt --tables sdt:sy
check "Syzygy to sdt: again" run 0 reformat sy/KPvK.rtbw sy/KPvK.rtbz --codec huffman -o sdt
check "Syzygy to sdt: again: none is made" has '^0 of 2 tables made, 2 were there; '
check "import knows what it made" run 0 import sy/KPvK.rtbw --codec huffman -o imported
check "import knows what it made: kept" has 'made before$'
check "by another codec" run 1 import sy/KPvK.rtbw --codec rle -o imported
check "by another codec: said" grep -q 'imported/KPvK.wdl50.sdt: is there already, made otherwise' err
check "results of an .rtbz file" run 0 reformat sy/KRvK.rtbz --metric wdl -o sdt
check "results of an .rtbz file: those of exact tables" run 0 verify --against dtm sdt/KRvK.wdl.sdt --tables sy
check "--output names the file" run 0 reformat sy/KRvK.rtbw -o sdt/KRvK.wdl50.sdt

# ------------------------------------------------- Syzygy files -> smaller ones
check "Syzygy to Syzygy" run 0 reformat --to rtbw,rtbz sy/KPvK.rtbw -o re
check "Syzygy to Syzygy: as by recompress" run 0 recompress sy/KPvK.rtbw sy/KPvK.rtbz -o recompressed
check "Syzygy to Syzygy: as by recompress, the same bytes" same 2 re recompressed
check "Syzygy to Syzygy: rows as ever" [ "$(grep -c '^KPvK.rtb[wz] [0-9]* [0-9a-f]\{16\} [0-9]* [0-9a-f]\{16\} recompress$' re/made.list recompressed/made.list | grep -c ':[1-4]$')" -eq 2 ]
check "recompress knows what reformat made" run 0 recompress sy/KPvK.rtbw sy/KPvK.rtbz -o re
check "recompress knows what reformat made: kept" has '^0 of 2 tables made, 2 were there; '
check "Syzygy to Syzygy: in its place only with -f" run 1 reformat --to rtbw sy/KPvK.rtbw
check "Syzygy to Syzygy: in its place: said" grep -q 'sy/KPvK.rtbw: is the table that is to be recoded; -f' err
mkdir older && cp sy/*.rtb? older
sum=$(sed -n 's/^KRvK.rtbw [0-9]* [0-9a-f]* \([0-9]* [0-9a-f]*\) .*/\1/p' sy/made.list | tail -1)
echo "KRvK.rtbw 999 0123456789abcdef $sum recompress --high" >older/made.list
check "a list of an older run is read" run 0 recompress older/KRvK.rtbw
check "a list of an older run is read: kept" has '^KRvK     rtbw .* made before$'

# ------------------------------------------------- .sdt -> .sdt
check "a file of an exact table" run 0 reformat dtm/KPvK.dtm.sdt --metric wdl -o small
check "by its ending" run 0 reformat KPvK --metric wdl --tables dtm -o small2
check "a file of an exact table: the same bytes" cmp small/KPvK.wdl.sdt small2/KPvK.wdl.sdt
check "the metric is that of the file" run 0 reformat dtm/KRvK.dtm.sdt -o small2
check "the metric is that of the file: it is there" [ -s small2/KRvK.dtm.sdt ]

# ------------------------------------------------- killed
for ms in 02 1 3; do
  for what in "reformat --to rtbw,rtbz $few --tables dtz -o" "export --tables dtz $few --syzygy"; do
    rm -rf killed
    # shellcheck disable=SC2086
    "$subdef" $what killed -q >/dev/null 2>&1 &
    pid=$!
    sleep 0.$ms
    kill -9 $pid 2>/dev/null
    wait $pid 2>/dev/null
    # shellcheck disable=SC2086
    check "${what%% *} killed after 0.$ms s: the same command goes on" run 0 $what killed
    check "${what%% *} killed after 0.$ms s: the same bytes" same 8 killed exported
    check "${what%% *} killed after 0.$ms s: nothing is left over" sh -c '! ls killed | grep tmp'
  done
  rm -rf killed
  "$subdef" import sy/*.rtbw sy/*.rtbz -o killed -q >/dev/null 2>&1 &
  pid=$!
  sleep 0.$ms
  kill -9 $pid 2>/dev/null
  wait $pid 2>/dev/null
  check "import killed after 0.$ms s: the same command goes on" run 0 import sy/*.rtbw sy/*.rtbz -o killed
  check "import killed after 0.$ms s: all tables" [ "$(ls killed/*.sdt | wc -l)" -eq 10 ]
  check "import killed after 0.$ms s: none is made twice" sh -c '[ "$(grep -v " 0 0000000000000000 reformat" killed/made.list | cut -d" " -f1 | sort | uniq -d | wc -l)" -eq 0 ]'
done

# ------------------------------------------------- what others have put there
mkdir foreign && head -c 200 /dev/urandom >foreign/KQvK.rtbw && touch -d 2013-01-01 foreign/KQvK.rtbw && cp foreign/KQvK.rtbw foreign/other
check "an old file that no list knows" run 1 reformat --to rtbw KPvK --with-successors --tables dtz -o foreign
check "an old file that no list knows: stays" cmp foreign/KQvK.rtbw foreign/other
check "an old file that no list knows: is named" grep -q 'foreign/KQvK.rtbw: is there already, and no list says how it was made; -f' err
mkdir begun && check "a table, to be begun" run 0 reformat KQvK -m wdl --tables dtm -o begun
grep ' 0 0000000000000000 ' begun/made.list >list && mv list begun/made.list && cp foreign/other begun/KQvK.wdl.sdt
check "begun, and another file is there" run 1 reformat KQvK -m wdl --tables dtm -o begun
check "begun, and another file is there: it stays" cmp begun/KQvK.wdl.sdt foreign/other
mkdir linked && echo mine >victim && ln -s ../victim linked/made.list
check "a list that is a link" run 1 reformat KQvK -m wdl --tables dtm -o linked
check "a list that is a link: says so" grep -q 'linked/made.list: ' err
check "a list that is a link: what it leads to stays" [ "$(cat victim)" = mine ]
mkdir fifo && mkfifo fifo/made.list
check "a list that is a pipe" run 1 reformat KQvK -m wdl --tables dtm -o fifo
mkdir cut && check "a list, to be cut" run 0 reformat KRvK -m wdl --tables dtm -o cut
printf 'KRvK.wdl.sdt 1 2' >>cut/made.list
check "a list with half a line" run 0 reformat KQvK -m wdl --tables dtm -o cut -f
check "a list with half a line: the next one is read" run 0 reformat KQvK -m wdl --tables dtm -o cut
check "a list with half a line: it was kept" grep -q 'made before' log
check "in place, however it is spelled" run 0 recompress -o smaller sy/KQvK.rtbw sy/KRvK.rtbw --tables sy
check "in place, however it is spelled: once more" run 0 recompress -o smaller/ smaller/KRvK.rtbw --tables sy
check "in place, however it is spelled: it was made before" grep -q 'made before' log

# ------------------------------------------------- tasks
for rank in 0 1; do
  # shellcheck disable=SC2086
  OMPI_COMM_WORLD_RANK=$rank OMPI_COMM_WORLD_SIZE=2 "$subdef" reformat --to rtbw,rtbz $few --tables dtz -o tasks >log$rank 2>err || failures=$((failures + 1))
done
check "two tasks: half each" [ "$(grep -h -c '^task [12] of 2: 4 of 4 tables made' log0 log1 | grep -c 1)" -eq 2 ]
check "two tasks: the same bytes" same 8 tasks exported
ranks () ( # ARGUMENTS...
  . "$src/tests/gen/ranks.sh"
  mpirun "$@"
)
if command -v mpirun >/dev/null; then
  check "two ranks" ranks -np 2 "$subdef" reformat sy/*.rtbw sy/*.rtbz -q -o ranks
  check "two ranks: a list each" [ "$(ls ranks | grep -c '^made-[12]-of-2.list$')" -eq 2 ]
  check "two ranks: all tables" [ "$(ls ranks/*.sdt | wc -l)" -eq 10 ]
fi

# ------------------------------------------------- JSON
if command -v python3 >/dev/null; then
  rm sdt/KPvK.wdl50.sdt
  check "--json" run 0 reformat --json sy/KPvK.rtbw sy/KPvK.rtbz --codec huffman -o sdt
  check "--json: what was made, what was kept" python3 -c '
import json
rows = json.load (open ("log"))
assert [(r["table"], r["metric"], r["status"]) for r in rows] == [("KPvK", "wdl50", "made"), ("KPvK", "dtz50", "kept")], rows
assert all (r["bytes"] > 0 and r["bytes_before"] > 0 and r["file"].startswith ("sdt/KPvK.") for r in rows)'
fi

# ------------------------------------------------- what does not go together
bad "no such format" 2 '--to rtb: expected sdt, rtbw or rtbz' --to rtb KRvK
bad "half a list of formats" 2 '--to rtbw,: expected' --to rtbw, KRvK
bad "a codec of a Syzygy file" 2 '--codec says what an .sdt table is like' --to rtbw KRvK --codec lzma
bad "more effort for a table" 2 '--high goes with --to rtbw' KRvK --high
bad "several tables at a time" 2 '--jobs: .sdt tables are made one after the other' --to sdt,rtbw KRvK --jobs 2
bad "draughts as a Syzygy file" 2 'Syzygy files are of chess' --to rtbw --game draughts KvK
bad "a Syzygy file of distances to mate" 2 'dtm/KRvK.dtm.sdt: holds dtm; wdl50 is made of exact values of dtz50' --to rtbw dtm/KRvK.dtm.sdt
bad "distances to mate of a Syzygy file" 2 '--metric dtm: expected wdl, wdl50 or dtz50' sy/KRvK.rtbz --metric dtm
bad "a table of results" 2 'small/KPvK.wdl.sdt: holds wdl; wdl is made of exact values of dtm' small/KPvK.wdl.sdt
bad "plies of a file of results" 2 'plies stand in the .rtbz file' sy/KRvK.rtbw --metric dtz50
bad "no file of that name" 1 'sy/KRvKR.rtbw: there is no such file' sy/KRvKR.rtbw
bad "no exact table" 1 "KRvKR.dtz50.sdt: not found in dtz; 'subdef gen KRvKR --metric dtz50 -o dtz' makes it" --to rtbw KRvKR --tables dtz
bad "another name" 2 'the stronger side first' --to rtbw sy/KvKR.rtbw
bad "half an ending" 1 'KRvK.rtbz: there is no such file' --to rtbz below/KRvK.rtbw
mkdir false && cp sy/* false && cp sy/KQvK.rtbw false/KRvK.rtbw && cp dtm/KQvK.dtm.sdt false/KRvK.dtm.sdt
bad "name and content differ, Syzygy to sdt" 1 'false/KRvK.rtbw: .*another table than its name says' false/KRvK.rtbw
bad "name and content differ, Syzygy to Syzygy" 1 'false/KRvK.rtbw: .*another table than its name says' --to rtbw false/KRvK.rtbw
bad "name and content differ, sdt" 1 'false/KRvK.dtm.sdt: .*another table than its name says' false/KRvK.dtm.sdt
cp dtm/KRvK.dtm.sdt false/x.sdt && cp dtm/KRvK.dtm.sdt false/KRvK.txt
bad "a name that is none" 1 'false/x.sdt: this table is found under the name KRvK.dtm.sdt only: rename it' false/x.sdt
bad "a file of another program" 2 "false/KRvK.txt: is no table that is read: names .* end in .sdt, .rtbw, .rtbz; 'subdef import'" false/KRvK.txt
"$gen" --game draughts KvK -q -o draughts >log 2>&1 || exit 99
check "a file of another game" run 0 reformat --game draughts draughts/draughts-KvK.dtm.sdt -o small
bad "a file of another game that is not named" 2 'is a table of draughts: --game draughts' draughts/draughts-KvK.dtm.sdt
bad "two files for one" 2 'sy/KRvK.rtbw and exported/KRvK.rtbw: both would become none/KRvK.wdl50.sdt' sy/KRvK.rtbw exported/KRvK.rtbw
checks_end
