#!/bin/sh
# Games besides chess as a user types them: subdef-gen --game, the same files for every number of ranks, what the other commands do
# with these files, and how all of it fails.
gen=${SD_BUILDDIR:-.}/tools/subdef-gen
subdef=${SD_BUILDDIR:-.}/tools/subdef
race=${SD_SRCDIR:-.}/tests/data/race.txt
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
. "${SD_SRCDIR:-.}/tests/gen/ranks.sh"

says () {
  grep -q -e "$2" "$work/$3" || fail "$1: $3 does not say: $2"
}

same () { # same FOLDER TITLE: the tables in $work/alone and there
  for f in "$work"/alone/*.sdt; do
    cmp -s "$f" "$1/${f##*/}" || fail "$2: ${f##*/} differs"
  done
}

# the graph of the documentation
cp "$race" "$work/race.txt"
game=graph:$work/race.txt
expect "a graph" 0 "$gen" --game "$game" -q -o "$work/alone"
says "a graph" '^race  *either  *2  *5  *2  *5 plies ' out
expect "its values" 0 "$subdef" dump --game "$game" race --text -p "$work/alone"
cat >"$work/want" <<END
start drawn
left drawn
hold drawn
trap won in 1
right drawn
mate lost in 0
stuck drawn
press won in 5
forced lost in 8
END
cmp -s "$work/want" "$work/out" || fail "the graph has other values: $(diff "$work/want" "$work/out" | tr '\n' ' ')"
expect "a state and its moves" 0 "$subdef" probe --game "$game" -p "$work/alone" press
says "press" '^  won in 5$' out
says "press" '^  \* -4  *won in 5$' out
says "press" '^    hold  *drawn$' out
sed -n 's/^\([a-z]*\):.*/\1/p' "$race" >"$work/names"
"$subdef" probe --game "$game" --json -p "$work/alone" - <"$work/names" >"$work/out" 2>"$work/err"
[ "$(wc -l <"$work/out")" -eq 9 ] || fail "probing all states of the graph gives $(wc -l <"$work/out") lines"
says "json" '"position":"forced","result":"lost","wdl":-1,"plies":8,"slice":"race"' out
for codec in store lzma repair; do
  for metric in wdl dtm; do
    expect "reformat by $codec" 0 "$subdef" reformat --game "$game" -m $metric -c $codec -p "$work/alone" -o "$work/$codec"
    expect "verify $codec" 0 "$subdef" verify --game "$game" -p "$work/alone" "$work/$codec/graph-race.$metric.sdt"
  done
  expect "its values by $codec" 0 "$subdef" dump --game "$game" race --text -p "$work/$codec"
  cmp -s "$work/want" "$work/out" || fail "the graph by $codec has other values"
done
rm "$work/repair/graph-race.dtm.sdt"
expect "results alone" 0 "$subdef" probe --game "$game" -p "$work/repair" forced
says "results alone" '^  lost$' out
expect "a table of a file that is not named" 1 "$subdef" verify "$work/alone/graph-race.dtm.sdt"
says "a table of a file that is not named" 'graph-race.dtm.sdt: .*graph:FILE' err
sed 's/^hold:.*/hold: mate/' "$race" >"$work/race.txt"
expect "another graph of that name" 1 "$subdef" verify --game "$game" "$work/alone/graph-race.dtm.sdt"
says "another graph of that name" 'made from other rules of graph' err
expect "probing with another graph" 1 "$subdef" probe --game "$game" -p "$work/alone" press
says "probing with another graph" 'made from other rules of graph' err
cp "$race" "$work/race.txt"

# draughts
expect "draughts" 0 "$gen" --game=draughts --men 3 -q --json -o "$work/alone"
sed 's/,"seconds.*//' "$work/out" >"$work/lines"
[ "$(wc -l <"$work/lines")" -eq 18 ] || fail "$(wc -l <"$work/lines") slices with up to 3 pieces, expected 18"
says "kings" '"slice":"KvK","first":{"positions":992,"won":230,"drawn":654,"lost":108,"longest_win_plies":11' lines
for solver in sequential forward backward; do
  expect "draughts, $solver" 0 "$gen" --game draughts --men 3 -q --json --solver $solver -o "$work/$solver"
  sed 's/,"seconds.*//' "$work/out" | cmp -s - "$work/lines" || fail "draughts by $solver: other results"
  expect "graph, $solver" 0 "$gen" --game "$game" --solver $solver -q -o "$work/$solver"
  same "$work/$solver" "$solver"
done
# killed again and again, with a checkpoint at every border
for after in 0.05 0.1 0.15 0.2 0.25; do
  "$gen" --game draughts --men 3 --checkpoint 0.000001 -q -o "$work/killed" >"$work/out" 2>"$work/err" &
  pid=$!
  sleep $after
  kill -9 $pid 2>/dev/null
  wait $pid 2>/dev/null
done
expect "after five kills" 0 "$gen" --game draughts --men 3 --checkpoint 0.000001 -q -o "$work/killed"
for f in "$work"/alone/draughts-*; do
  cmp -s "$f" "$work/killed/${f##*/}" || fail "after five kills: ${f##*/} differs"
done
[ "$(ls "$work/killed" | wc -l)" -eq 18 ] || fail "after five kills: $(ls "$work/killed" | tr '\n' ' ')"
expect "a slice and what it turns into" 0 "$gen" --game draughts MvKK -q -o "$work/kkm"
[ "$(grep -cE '(either|first) ' "$work/out")" -eq 7 ] || fail "KKvM prints $(wc -l <"$work/out") lines, expected 7 slices"
cmp -s "$work/kkm/draughts-KKvM.dtm.sdt" "$work/alone/draughts-KKvM.dtm.sdt" || fail "KKvM alone differs"
expect "whole tables are left alone" 0 "$gen" --game draughts --men 3 -o "$work/alone"
[ -s "$work/out" ] && fail "whole tables are built again"
expect "king against king" 0 "$subdef" dump --game draughts KvK --text -p "$work/alone"
[ "$(grep -c won "$work/out")/$(grep -c drawn "$work/out")/$(grep -c lost "$work/out")" = 230/654/108 ] \
  || fail "the table of KvK does not hold 230/654/108"
cut -d' ' -f1 "$work/out" | "$subdef" probe --game draughts --json -p "$work/alone" - >"$work/probed" 2>"$work/err"
for wdl in 1:230 0:654 -1:108; do
  n=$(grep -c "^{[^[]*\"wdl\":${wdl%:*}," "$work/probed")
  [ "$n" -eq "${wdl#*:}" ] || fail "probing says $n positions of KvK with ${wdl%:*}, expected ${wdl#*:}"
done
expect "the numbers" 0 "$subdef" dump --game draughts KvK "$work/kvk.bin" -p "$work/alone"
[ "$(wc -c <"$work/kvk.bin")" -eq 1984 ] || fail "KvK takes $(wc -c <"$work/kvk.bin") bytes, expected 2 for each of 992 states"
expect "verify draughts" 0 "$subdef" verify "$work"/alone/draughts-*.dtm.sdt
[ "$(grep -c ': ok' "$work/out")" -eq 18 ] || fail "$(grep -c ': ok' "$work/out") of 18 tables are right"
expect "results of draughts" 0 "$subdef" reformat --game draughts --men 3 -m wdl --set block=64 -q -p "$work/alone" -o "$work/wdl"
expect "verify results" 0 "$subdef" verify -p "$work/alone" "$work"/wdl/*.sdt
expect "info" 0 "$subdef" info "$work/wdl/draughts-KKvM.wdl.sdt"
says "info" 'draughts KKvM wdl, won/drawn/lost' out
expect "list" 0 "$subdef" list -p "$work/alone"
says "list" '^draughts KKvM  *dtm' out
says "list" '^19 tables' out
expect "a double jump" 0 "$subdef" probe --game draughts -p "$work/alone" B:B9:W14,22
says "a double jump" '^  \* 9x18x25  *won in 1$' out
# freedom by conversions: smaller, restored from the moves, refused where what they lead to is missing
for metric in wdl dtm; do
  for freedom in illegal illegal+capture all; do
    expect "$metric, free: $freedom" 0 "$subdef" reformat --game draughts --men 3 -m $metric --freedom $freedom -q -p "$work/alone" -o "$work/$freedom"
    expect "verify $metric, free: $freedom" 0 "$subdef" verify -p "$work/$freedom" "$work/$freedom"/*.$metric.sdt
  done
  set -- $(for f in illegal illegal+capture all; do cat "$work/$f"/*.$metric.sdt | wc -c; done)
  [ $(($2 * 100)) -lt $(($1 * 97)) ] || fail "$metric: captures free take $2 bytes, $1 without"
  [ "$3" -le "$2" ] || fail "$metric: conversions free take $3 bytes, captures alone $2"
done
for slice in KMvM MMvM KKvK; do
  "$subdef" dump --game draughts $slice --text -p "$work/alone" >"$work/want" 2>"$work/err"
  expect "restored $slice" 0 "$subdef" dump --game draughts $slice --text -p "$work/all"
  cmp -s "$work/want" "$work/out" || fail "$slice with free conversions is restored to other values"
  cut -d' ' -f1 "$work/want" | awk 'NR % 97 == 0' >"$work/some"
  "$subdef" probe --game draughts --json -p "$work/alone" - <"$work/some" >"$work/want" 2>"$work/err"
  "$subdef" probe --game draughts --json -p "$work/all" - <"$work/some" >"$work/out" 2>"$work/err"
  cmp -s "$work/want" "$work/out" || fail "$slice with free conversions is probed to other values"
done
mkdir "$work/less" && cp "$work"/all/draughts-KMvM.dtm.sdt "$work/less"
expect "tables below are missing" 1 "$subdef" probe --game draughts -p "$work/less" W:WK29,30:B5
says "tables below are missing" '^  ?$' out
expect "a game without conversions" 2 "$subdef" reformat --game "$game" -m wdl --freedom capture -p "$work/alone" -o "$work/never"
says "a game without conversions" 'tables of graph know only illegal' err
cp "$work/alone/draughts-KvK.dtm.sdt" "$work/kvk"
dd if=/dev/zero of="$work/alone/draughts-KvK.dtm.sdt" bs=1 seek=100 count=8 conv=notrunc 2>/dev/null
expect "a damaged table" 1 "$subdef" probe --game draughts -p "$work/alone" W:WK1:BK32
says "a damaged table" 'draughts-KvK.dtm.sdt: states: chunk 0.*checksum' err
expect "a damaged table is built again" 0 "$gen" --game draughts KvK -o "$work/alone"
says "a damaged table is built again" 'draughts-KvK.dtm.sdt.*built again' err
cmp -s "$work/kvk" "$work/alone/draughts-KvK.dtm.sdt" || fail "the table built again differs"
cp "$work/alone/draughts-KvM.dtm.sdt" "$work/alone/draughts-KvK.dtm.sdt"
expect "a table under another name" 1 "$subdef" probe --game draughts -p "$work/alone" W:WK1:BK32
says "a table under another name" 'holds another table, draughts-KvM' err
cp "$work/kvk" "$work/alone/draughts-KvK.dtm.sdt"
expect "a missing table" 1 "$subdef" probe --game draughts -p "$work/wdl" W:WK1,K2,K3:BK32
says "a missing table" "not found in $work/wdl: KKKvK; 'subdef gen --game draughts KKKvK -o exact'" err
expect "a table of chess and one of draughts do not mix" 2 "$subdef" probe --game draughts -p "$work/alone" '8/8/8/8/8/2k5/8/K6R w - - 0 1'
says "not a position" 'no position of draughts' err
expect "bench" 2 "$subdef" bench probe draughts-KvK -p "$work/alone"
expect "estimate" 0 "$gen" --game draughts --men 5 --estimate -o "$work/never"
says "estimate" 'of [0-9]* slices to build, 1 rank' out
says "estimate: each slice" '^KKvM  *[0-9][0-9,]*  *[0-9.]* MiB at most$' out
says "estimate: a bound" 'Memory is an upper bound' out
[ -e "$work/never" ] && fail "--estimate made the folder"
if command -v mpirun >/dev/null && grep -q 'define HAVE_MPI 1' "${SD_BUILDDIR:-.}/config.h"; then
  for n in 2 3; do
    expect "draughts, $n ranks" 0 mpirun -np $n "$gen" --game draughts --men 3 -q --json -o "$work/r$n"
    sed 's/,"seconds.*//' "$work/out" | cmp -s - "$work/lines" || fail "$n ranks give other results"
    expect "graph, $n ranks" 0 mpirun -np $n "$gen" --game "$game" -q -o "$work/r$n"
    same "$work/r$n" "$n ranks"
  done
  expect "balanced" 0 mpirun -np 3 "$gen" --game draughts --men 3 -q --mixing plain --balance 2 --threads 1 --log -o "$work/balanced"
  says "balanced" 'ply 1: .* states, .* times the mean' err
  expect "balanced graph" 0 mpirun -np 3 "$gen" --game "$game" -q --mixing 1 --balance 2 -o "$work/balanced"
  same "$work/balanced" "balanced"
  expect "three ranks, forward" 1 mpirun -np 3 "$gen" --game draughts KvK -q --solver forward -o "$work/r4"
  says "three ranks, forward" 'start one rank' err
  expect "three ranks, no such file" 1 mpirun -np 3 "$gen" --game "graph:$work/none" -o "$work/r3"
  [ "$(grep -c '^subdef-gen:' "$work/err")" -eq 1 ] || fail "three ranks fail with $(grep -c '^subdef-gen:' "$work/err") messages"
fi
printf 'a: b\n' >"$work/bad"
expect "a move that leads nowhere" 1 "$gen" --game "graph:$work/bad" -o "$work/never"
says "a move that leads nowhere" 'bad: line 1: there is no line for this state: b' err
expect "unknown game" 2 "$gen" --game go
says "unknown game" 'go: no such game: expected one of chess, draughts, graph:FILE' err
expect "a game by its row: chess" 0 "$gen" --game chess KQvK -q -o "$work/chess"
says "a game by its row: chess" '^KQvK  *White  *18,081  *0  *0  *mate in 10 moves' out
expect "verify endings and slices by name" 0 "$subdef" verify --game draughts KKvM -p "$work/alone"
says "verify a slice" 'draughts-KKvM.dtm.sdt: ok: [0-9,]* positions, each against its moves (6 smaller tables)' out
expect "reformat with all below" 0 "$subdef" reformat --game draughts KKvM --with-successors -m wdl -p "$work/alone" -o "$work/below"
says "reformat with all below" '^7 of 7 tables made' out
expect "unknown solver" 2 "$gen" --game draughts --solver nix
says "unknown solver" "expected parallel, " err
expect "unknown mixing" 2 "$gen" --game draughts --mixing 0 KvK
expect "unknown balance" 2 "$gen" --game draughts --balance 1 KvK
expect "no file" 2 "$gen" --game graph
expect "no name" 2 "$gen" --game
expect "too many pieces" 2 "$gen" --game draughts --men 25
expect "no slice" 2 "$gen" --game draughts
expect "a file for draughts" 2 "$gen" --game draughts:x KvK
expect "not a slice" 2 "$gen" --game draughts KvQ -o "$work/never"
expect "help" 0 "$gen" --game draughts --help
says "help" 'draughts' out
exit $((failures > 0))
