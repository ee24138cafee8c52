#!/bin/sh
# subdef recompress over several files: what is done is not done again, a killed run loses nothing, tasks share the files, damage is
# one sentence and leaves the other files to be made.
build=$(cd "${SD_BUILDDIR:-.}" && pwd) src=$(cd "${SD_SRCDIR:-.}" && pwd)
subdef=$build/tools/subdef gen=$build/tools/subdef-gen
. "$src/tests/syzygy/checks.sh"
lines () { [ "$(grep -c . "$2")" -eq "$1" ]; }

env ASAN_OPTIONS=detect_leaks=0 "$gen" --metric dtz50 -q KPvK KBvK KNvK -o dtz50 >log 2>&1 || exit 99
"$subdef" export -q --syzygy public --tables dtz50 KPvK KQvK KRvK KBvK KNvK >log 2>&1 || { cat log; exit 99; }

check "all files" sh -c '"$1" recompress -o one public/* >log 2>&1' sh "$subdef"
check "all files: their sum" has '^10 of 10 tables made, 0 were there; [0-9,]* -> [0-9,]* bytes, [0-9,]* saved'
check "all files: a line for each in the list" lines 10 one/made.list
# What papers/syzygy keeps is what the program writes.
kept () { # LIST METRIC SUFFIX FOLDER
  for f in "$4"/*."$3"; do
    printf '%s,%d\n' "$(basename "$f" ".$3")" "$(wc -c <"$f")"
  done | sort >made
  awk -F, -v metric="$2" 'FNR == NR { made[$1] = 1; next } $2 == metric && $1 in made { print $1 "," $3 }' made \
    "$src/papers/syzygy/$1" | sort >kept
  diff kept made >log
}
check "WDL files: as long as the kept list says" kept recompressed.csv wdl50 rtbw one
check "DTZ files: as long as the kept list says" kept exported.csv dtz50 rtbz one
# With 4 men the first writing is enough: the slots are the same, whatever file their values come from.
env ASAN_OPTIONS=detect_leaks=0 "$gen" --metric dtz50 -q KNNvK KRRvK KQRvK KQNvK -o dtz50 >log 2>&1 || exit 99
check "four WDL files with 4 men" "$subdef" export -q --wdl-only --syzygy four-men --tables dtz50 KNNvK KRRvK KQRvK KQNvK
check "four WDL files with 4 men: as long as the kept list says" kept recompressed.csv wdl50 rtbw four-men
check "all files: nothing half-written is left" sh -c '! ls one | grep tmp'
ls -i one >before
check "again" sh -c '"$1" recompress -o one public/* >log 2>&1' sh "$subdef"
check "again: all were made before" has '^0 of 10 tables made, 10 were there; '
check "again: no file was touched" sh -c 'ls -i one | cmp - before'
check "again: no line was added" lines 10 one/made.list

printf x >>one/KPvK.rtbw
rm one/KQvK.rtbz
printf 'KRvK.rtbw 1 2' >>one/made.list # a line that a killed program left
check "a file that was changed, one that is gone" sh -c '"$1" recompress -o one public/* >log 2>&1' sh "$subdef"
check "these two are made again" has '^2 of 10 tables made, 8 were there; '
check "both are sound" "$subdef" verify one/KPvK.rtbw one/KQvK.rtbw
printf '\377\376' | dd of=one/KPvK.rtbw bs=1 seek=1500 conv=notrunc 2>/dev/null # of the same size, with the same sum at its end
check "a file that was damaged" sh -c '"$1" recompress -o one public/* >log 2>&1' sh "$subdef"
check "it is made again" has '^1 of 10 tables made, 9 were there; '
check "it is sound" "$subdef" verify one/KPvK.rtbw
cp -r one high
check "with more effort" sh -c '"$1" recompress --high -o high public/KQvK.rtbw >log 2>&1' sh "$subdef"
check "with more effort it is made again" sh -c '! grep "made before" log'

cp -r public two
for ms in 05 2 5; do
  "$subdef" recompress -j 1 -q two/*.rtb? >log 2>&1 &
  pid=$!
  sleep 0.$ms
  kill -9 $pid 2>/dev/null
  wait $pid 2>/dev/null
  check "killed after 0.$ms s: every file is sound" "$subdef" verify two/KBvK.rtbw two/KNvK.rtbw two/KPvK.rtbw two/KQvK.rtbw two/KRvK.rtbw two/KPvK.rtbz
done
check "killed: the same command goes on" sh -c '"$1" recompress two/*.rtb? >log 2>&1' sh "$subdef"
check "killed: no temporary file is left" sh -c '! ls two | grep tmp'
check "killed: the same bytes as without" sh -c 'for f in public/*.rtb?; do cmp one/${f#public/} two/${f#public/} || exit 1; done'

for rank in 0 1; do
  OMPI_COMM_WORLD_RANK=$rank OMPI_COMM_WORLD_SIZE=2 "$subdef" recompress -o three public/* >log$rank 2>&1 || failures=$((failures + 1))
done
check "two tasks: a list each" lines 5 three/made-1-of-2.list
check "two tasks: the other list" lines 5 three/made-2-of-2.list
check "two tasks: all files" sh -c 'for f in public/*.rtb?; do cmp one/${f#public/} three/${f#public/} || exit 1; done'
check "what tasks made a single one finds" sh -c '"$1" recompress -o three public/* >log 2>&1' sh "$subdef"
check "what tasks made is not made again" has '^0 of 10 tables made, 10 were there; '

if command -v python3 >/dev/null; then
  rm one/KQvK.rtbz
  "$subdef" recompress --json -o one public/* >records 2>log
  check "--json: exit 0" [ $? -eq 0 ]
  check "--json: nothing else" sh -c '! grep -q . log'
  check "--json: a record for each file" python3 -c '
import json
rows = json.load (open ("records"))
assert len (rows) == 10 and all (r["bytes"] <= r["bytes_before"] and r["seconds"] >= 0 for r in rows)
assert [r["file"] for r in rows if r["status"] == "made"] == ["one/KQvK.rtbz"]
assert sum (r["status"] == "kept" for r in rows) == 9'
fi

cp -r public four
cp -r public 'a:b'
check "a colon in a folder's name: the file stays there" sh -c '"$1" recompress -p public a:b/KNvK.rtbw >log 2>&1 && [ ! -e a ]' sh "$subdef"
cp -r public itself
check "into the folder of the files, as without it" sh -c '"$1" recompress -q -o itself itself/*.rtb? >log 2>&1' sh "$subdef"
check "into the folder of the files: again" sh -c '"$1" recompress -o itself itself/*.rtb? >log 2>&1' sh "$subdef"
check "into the folder of the files: all were made before" has '^0 of 10 tables made, 10 were there; '
printf '\377' | dd of=four/KPvK.rtbw bs=1 seek=1500 conv=notrunc 2>/dev/null
cp four/KPvK.rtbw damaged
"$subdef" recompress four/*.rtb? >log 2>err
check "damage: exit 1" [ $? -eq 1 ]
check "damage: the file is named" grep -q 'four/KPvK.rtbw: ' err
check "damage: it stays as it was" cmp four/KPvK.rtbw damaged
"$subdef" recompress --json four/KPvK.rtbw >log 2>err
check "damage: a record of --json says what is wrong" has '"status":"failed","error":"'
check "damage: other files are made" grep -q '^KNvK.rtbw' four/made.list
mkdir alone && cp public/KPvK.rtbz alone
check "damage in a file that others rest on: it is named" sh -c '! "$1" recompress -f -p four alone/KPvK.rtbz 2>err && grep KPvK.rtbw err' sh "$subdef"
"$subdef" recompress four/KvKP.rtbw >log 2>err
check "a wrong name: exit 2" [ $? -eq 2 ]
check "a wrong name: one sentence" lines 1 err

mkdir other
cp public/KQvK.rtbw other
"$subdef" recompress -o twice public/KQvK.rtbw public/KQvK.rtbz other/KQvK.rtbw >log 2>err
check "two files of one name for one folder: exit 2" [ $? -eq 2 ]
check "two files of one name for one folder: one sentence" lines 1 err
check "two files of one name for one folder: none is made" sh -c '! ls twice | grep .'

# Tasks that mpirun starts, which know their rank from it alone.
ranks () ( # ARGUMENTS...
  . "$src/tests/gen/ranks.sh"
  mpirun "$@"
)
if command -v mpirun >/dev/null; then
  check "three ranks" ranks -np 3 "$subdef" recompress -q -j 1 -o five public/*
  check "three ranks: a list each" [ "$(ls five | grep -c '^made-[123]-of-3.list$')" -eq 3 ]
  cat five/*.list >log
  check "three ranks: each file is made once" lines 10 log
  check "three ranks: the same bytes as of one" sh -c 'for f in public/*.rtb?; do cmp one/${f#public/} five/${f#public/} || exit 1; done'
  check "three ranks: nothing half-written is left" sh -c '! ls five | grep tmp'
fi
if mpirun --version 2>/dev/null | grep -q 'Open MPI) 4'; then
  ranks --mca orte_abort_on_non_zero_status 0 -np 3 "$subdef" recompress -q -f -j 1 -o six four/*.rtb? >log 2>&1
  check "three ranks, one damaged file: it is named" has 'four/KPvK.rtbw: '
  check "three ranks, one damaged file: all but those that rest on it" [ "$(ls six | grep -c rtb)" -eq 8 ]
fi

checks_end
