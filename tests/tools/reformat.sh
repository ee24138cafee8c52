#!/bin/sh
# subdef reformat of many tables as a job: the same command goes on where it was killed, what is there and differs is named and does not
# stop the others, tasks share the tables; records of JSON; the defaults are never larger than the exact tables.
build=$(cd "${SD_BUILDDIR:-.}" && pwd) src=$(cd "${SD_SRCDIR:-.}" && pwd)
subdef=$build/tools/subdef gen=$build/tools/subdef-gen
. "$src/tests/syzygy/checks.sh"
lines () { [ "$(grep -c . "$2")" -eq "$1" ]; }
# run STATUS ARGUMENTS...: of reformat, its exit status; log has what it printed, err its messages
run () {
  expected=$1
  shift
  "$subdef" reformat "$@" --tables exact >log 2>err
  [ $? -eq "$expected" ] || { cat err; return 1; }
}
same () { for f in one/*.sdt; do cmp "$f" "$1/${f#one/}" || return 1; done; }

env ASAN_OPTIONS=detect_leaks=0 "$gen" --men 3 -q -o exact >log 2>&1 || exit 99

# ---------------------------------------------------------------------- again
check "all tables" run 0 --men 3 -m wdl -o one
check "all tables: how many" has '^5 of 5 tables made, 0 were there; '
check "all tables: what is known to be smaller is said once" [ "$(grep -c 'layouts papers' log)" -eq 1 ]
check "all tables: each is in the list, when it was begun and when it was made" lines 10 one/made.list
ls -i one >before
check "again" run 0 --men 3 -m wdl -o one
check "again: none is made" has '^0 of 5 tables made, 5 were there; '
check "again: no file was touched" sh -c 'ls -i one | cmp - before'
check "in other words" run 0 --men 3 -m wdl --codec obdd --numbering folded -o one
check "in other words: none is made" has '^0 of 5 tables made, 5 were there; '
rm one/KRvK.wdl.sdt
check "one is gone" run 0 --men 3 -m wdl -o one
check "one is gone: it alone is made" has '^1 of 5 tables made, 4 were there; '
cp -r one other
rm other/KRvK.wdl.sdt
check "by another codec, with four tables there" run 1 --men 3 -m wdl --codec rle -o other
check "by another codec: these are named, with the remedy" \
  [ "$(grep -c 'other/K.vK.wdl.sdt: is there already, made otherwise .*obdd.*; -f makes it anew, --output names' err)" -eq 4 ]
check "by another codec: the fifth is made" has '^1 of 5 tables made, 0 were there; '
check "by another codec: these are left" cmp one/KPvK.wdl.sdt other/KPvK.wdl.sdt
check "by another codec: -f makes all" run 0 --men 3 -m wdl --codec rle -f -o other
check "by another codec: how many" has '^5 of 5 tables made'
printf x | dd of=one/KPvK.wdl.sdt bs=1 seek=200 conv=notrunc 2>/dev/null
check "a table was damaged" run 1 --men 3 -m wdl -o one
check "a table was damaged: it is named" grep -q 'one/KPvK.wdl.sdt: is there already, and no list says how it was made; -f' err
check "a table was damaged: -f makes it anew" run 0 KPvK -m wdl -f -o one
cp -r exact changed
cp changed/KQvK.dtm.sdt q
"$subdef" reformat KQvK -m dtm --coding signed --freedom illegal --codec store --tables exact -o changed -f -q
"$subdef" reformat KQvK -m wdl --tables changed -o one >log 2>err
check "the exact table has changed: exit 1" [ $? -eq 1 ]
check "the exact table has changed: said" grep -q 'made of an exact table that has changed; -f' err
check "the search is known, too" run 0 KRvK KQvK --best --max-latency 1us -o best
check "the search again" run 0 KRvK KQvK --best --max-latency 1us -o best
check "the search again: nothing is searched for" has '^0 of 2 tables made, 2 were there; '
check "another bound" run 1 KQvK --best --max-latency 5us -o best

# --------------------------------------------------------------------- killed
for ms in 02 05 1 2 4; do
  rm -rf killed
  "$subdef" reformat --men 3 -m wdl --tables exact -o killed -q >/dev/null 2>&1 &
  pid=$!
  sleep 0.$ms
  kill -9 $pid 2>/dev/null
  wait $pid 2>/dev/null
  check "killed after 0.$ms s: the same command goes on" run 0 --men 3 -m wdl -o killed
  check "killed after 0.$ms s: the same bytes" same killed
  check "killed after 0.$ms s: nothing is left over" sh -c '! ls killed | grep tmp'
done
# killed behind the last byte of a table and before it was noted
grep -v 'KRvK.wdl.sdt [0-9a-f ]* [1-9][0-9]* [0-9a-f]* reformat' killed/made.list >list
check "made and not noted: the list has lost a line" [ "$(wc -l <list)" -eq "$(($(wc -l <killed/made.list) - 1))" ]
cp list killed/made.list
check "made and not noted" run 0 --men 3 -m wdl -o killed
check "made and not noted: it is made anew" has '^1 of 5 tables made, 4 were there; '
check "made and not noted: now it is" run 0 --men 3 -m wdl -o killed
check "made and not noted: and kept" has '^0 of 5 tables made, 5 were there; '
cp list killed/made.list
check "begun by another command" run 1 --men 3 -m wdl --codec rle -o killed
check "begun by another command: no list tells of it" grep -q 'killed/KRvK.wdl.sdt: is there already, and no list' err

# ---------------------------------------------------------------------- tasks
for rank in 0 1; do
  OMPI_COMM_WORLD_RANK=$rank OMPI_COMM_WORLD_SIZE=2 "$subdef" reformat --men 3 -m wdl --tables exact -o two >log$rank 2>err || failures=$((failures + 1))
done
check "two tasks: the first" grep -q '^task 1 of 2: 3 of 3 tables made' log0
check "two tasks: the second" grep -q '^task 2 of 2: 2 of 2 tables made' log1
check "two tasks: the same bytes" same two
check "what tasks made a single one finds" run 0 --men 3 -m wdl -o two
check "what tasks made is not made again" has '^0 of 5 tables made, 5 were there'
for part in 7 8 9; do
  SLURM_ARRAY_TASK_ID=$part SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MIN=7 "$subdef" reformat KPvK -m wdl --with-successors --tables exact -o three -q || failures=$((failures + 1))
done
check "a job array, with successors: each is made once" [ "$(cat three/*.list | grep -c .)" -eq 10 ]
check "a job array: the same bytes" same three
rm -rf four
cp -r one four
check "with successors made otherwise" run 0 KPvK -m wdl --codec rle --with-successors -o four -f
check "with successors made otherwise: the named one is not kept" run 1 KPvK -m wdl --with-successors -o four
check "with successors made otherwise: said" has '4 were there, 4 of them made otherwise, or not by this command'

# ----------------------------------------------------------------------- JSON
if command -v python3 >/dev/null; then
  check "--json" run 0 KPvK KQvK KRvK -m wdl -o one --json
  check "--json: kept tables" python3 -c '
import json
rows = json.load (open ("log"))
assert [r["table"] for r in rows] == ["KPvK", "KQvK", "KRvK"] and all (r["status"] == "kept" for r in rows)
assert all (r["file"] == "one/%s.wdl.sdt" % r["table"] and r["bytes"] > 0 and r["sides"][0]["codec"] == "obdd" for r in rows)'
  check "--json: a search" run 0 KQvK KRvK -m wdl --best --max-latency 1us -o json --json
  rm -f json/KRvK.wdl.sdt && : >json/KQvK.wdl.sdt
  check "--json: a failure" run 1 KQvK KRvK -m wdl --best --max-latency 1us -o json --json
  check "--json: records of both" python3 -c '
import json
bad, good = json.load (open ("log"))
assert bad["status"] == "failed" and "json/KQvK.wdl.sdt: is there already" in bad["error"]
assert good["status"] == "made" and any (row.get ("bytes") for row in good["searched"])'
  "$subdef" verify --json --sums one/KQvK.wdl.sdt one/none.sdt json/KQvK.wdl.sdt >log 2>err
  check "verify --json: exit 1" [ $? -eq 1 ]
  check "verify --json: records" python3 -c '
import json
rows = json.load (open ("log"))
assert [r["status"] for r in rows] == ["ok", "failed", "failed"]
assert rows[0]["checked"].startswith ("the checksums of ") and all (r["error"] for r in rows[1:])'
fi

# ------------------------------------------------------------------- defaults
check "distances" run 0 KPvK -m dtm --with-successors -o one
check "distances: none is larger than the exact table" sh -c '
for f in exact/*.sdt; do [ $(wc -c <one/${f#exact/}) -le $(wc -c <$f) ] || { ls -l $f one/${f#exact/}; exit 1; }; done'
check "distances: verified" "$subdef" verify one/*.dtm.sdt
for metric in dtc dtz50; do
  "$gen" KRvK -m $metric -q -o plies >log 2>&1
  check "$metric: as distances" "$subdef" reformat KRvK -m $metric --tables plies -o fewer -q
  check "$metric: not larger than the exact table" [ "$(wc -c <fewer/KRvK.$metric.sdt)" -le "$(wc -c <plies/KRvK.$metric.sdt)" ]
done
checks_end
