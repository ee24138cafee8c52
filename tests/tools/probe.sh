#!/bin/sh
# subdef probe as people and programs read it: the drawn board, best lines, PGN, records with the members of the web API, streams of values.
set -u
subdef=$SD_BUILDDIR/tools/subdef
work=$(mktemp -d "$SD_BUILDDIR/people-XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
unset SUBDEF_PATH
failed=0
fail () { failed=1; echo "FAILED $*"; }
mpi="env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ASAN_OPTIONS=detect_leaks=0"
$mpi "$SD_BUILDDIR/tools/subdef-gen" KPvKP -q -o t >gen.txt 2>&1 || { cat gen.txt; exit 1; }
$mpi "$SD_BUILDDIR/tools/subdef-gen" KPvK --metric dtz50 -q -o rule >gen.txt 2>&1 || { cat gen.txt; exit 1; }
"$subdef" reformat KPvK KQvK KRvK KBvK KNvK --metric wdl --codec repair --tables t -o w -q || exit 1
rook='8/8/8/8/8/2k5/8/K6R w - - 0 1' pawn='8/2P5/8/8/8/2k5/8/K7 w - - 0 1'

# prints TITLE EXIT PATTERN... -- ARGUMENTS: each pattern is a line of the output
prints () {
  title=$1 want=$2
  shift 2
  : >patterns
  while [ "$1" != -- ]; do printf '%s\n' "$1" >>patterns; shift; done
  shift
  "$subdef" probe "$@" >out 2>err </dev/null
  status=$?
  [ $status -eq "$want" ] || fail "$title: exit $status: $(head -2 err)"
  while IFS= read -r pattern; do grep -q -e "$pattern" out || fail "$title: no '$pattern' in: $(head -c 600 out)"; done <patterns
}

# ------------------------------------------------------------------ the board
prints "board" 0 '^  8 \. \. \. \. \. \. \. \.$' '^  3 \. \. k \. \. \. \. \.$' '^  1 K \. \. \. \. \. \. R$' '^    a b c d e f g h$' \
  'KRvK, White to move$' 'won, mates in 14 moves (27 plies)$' 'DTM: moves and plies to mate; no 50-move rule$' \
  '^  \* Rd1      h1d1   won, mates in 14 moves (27 plies)$' '^    Rh3+     h1h3   won, mates in 17 moves (33 plies)$' -- --board -p t "$rook"
grep -q "$(printf '\033')" out && fail "board: colours on no terminal"
[ -s err ] && fail "board: $(cat err)"
prints "board: the half-move clock" 0 'half-move clock 30: it does not count here$' -- --board -p t '8/8/8/8/8/2k5/8/K6R w - - 30 40'
[ -s err ] && fail "board: the clock twice"
prints "board: the rule" 0 'DTM: moves and plies to mate; 50-move rule: plies to the next capture, pawn move or mate$' \
  'half-move clock 5: the values are for a clock of 0$' 'won, mates in 14 moves (27 plies); 50-move rule: won, zeroing in 27 plies$' \
  -- --board -p t:rule '8/8/8/8/8/2k5/8/K6R w - - 5 40'
prints "board: WDL" 0 'WDL: no distances; no 50-move rule$' '^  \* Rd1      h1d1   won$' -- --board -p w "$rook"
prints "board: checkmate" 0 'KRvK, Black to move: checkmate$' 'lost, mated$' -- --board -p t 'k1K5/8/8/8/8/8/8/R7 b - - 0 1'
prints "board: stalemate" 0 'Black to move: stalemate$' 'drawn$' -- --board -p t 'k7/2Q5/1K6/8/8/8/8/8 b - - 0 1'
prints "board: en passant" 0 'en passant on d6$' '^  . exd6     e5d6   ' -- --board -p t 'k7/8/8/3pP3/8/8/8/K7 w - d6 0 1'
prints "board: no table" 1 '^  1 K \. \. \. \. \. \. R$' 'KRvK, White to move$' '    ?$' 'no table tells its value; no 50-move rule$' '^    Rd1      h1d1   ?$' \
  -- --board -p t/.. "$rook"
grep -q "not found in t/..: KRvK; 'subdef gen KRvK -o t/..' makes it" err || fail "board: no table: $(cat err)"
prints "lines stay as they were" 0 "^$rook\$" '^  won, mates in 14 moves (27 plies)$' '^  \* h1d1   won, mates in 14 moves (27 plies)$' -- -p t "$rook"
cp out lines
# a clock is told once, and once more where tables know the rule
clock='8/8/8/8/8/2k5/8/K6R w - - 5 40'
noted () { [ "$(cat err)" = "subdef probe: note: a half-move clock $2" ] || fail "$1: the note: $(cat err)"; }
prints "lines: a clock" 0 '^  won, mates in 14 moves (27 plies)$' -- -p t "$clock" "$rook" "$clock"
noted "lines: a clock" 'does not count where no table knows the 50-move rule'
prints "lines: a clock and the rule" 0 '50-move rule: won, zeroing in 27 plies$' -- -p t:rule "$clock" "$clock"
noted "lines: a clock and the rule" 'counts for best moves alone; values are for a clock of 0'
prints "json: a clock and the rule" 0 '"halfmove_clock":5' -- --json -p t:rule "$clock"
noted "json: a clock and the rule" 'counts for the members "category" and "best" alone; values are for a clock of 0'
prints "lines: no clock" 0 -- -p t:rule "$rook"
[ -s err ] && fail "lines: no clock: $(cat err)"
prints "lines on demand" 0 -- --lines -p t "$rook"
cmp -s lines out || fail "--lines: not what a pipe gets"
if command -v script >/dev/null 2>&1; then # a terminal
  script -qec "env TERM=xterm LC_ALL=C.UTF-8 NO_COLOR= '$subdef' probe -p t '$rook'" /dev/null </dev/null >out 2>&1
  grep -q "$(printf '\342\231\224')" out && grep -q "$(printf '\033')\[32mwon" out || fail "a terminal: symbols and colours: $(head -c 300 out)"
  script -qec "env TERM=xterm LC_ALL=C NO_COLOR=1 '$subdef' probe -p t '$rook'" /dev/null </dev/null >out 2>&1
  grep -q '  1 K . . . . . . R' out || fail "a terminal without UTF-8"
  grep -q "$(printf '\033')" out && fail "NO_COLOR"
fi

# ------------------------------------------------------------ best line and PGN
prints "line: up to mate" 0 '^  best line:$' '^    1\. c8=Q+ ' 'Q[a-h][1-8]*#$' -- --line -p t "$pawn"
prints "line: numbers from the FEN, Black first" 0 '^    40\.\.\. K[a-d][1-4] 41\. ' -- --line -p t '8/8/8/8/8/2k5/8/K6R b - - 3 40'
prints "line: of a draw" 0 'drawn: every move that keeps the draw is as good$' -- --line -p t '8/8/8/8/8/2k5/8/K6N w - - 0 1'
prints "line: WDL alone" 0 'not known: that takes tables of dtm' -- --line -p w "$rook"
prints "line: dtz50 alone leads to mate" 0 '^    1\. c8=[QR]' '#$' -- --line -p rule "$pawn"
prints "line: over" 0 'none: checkmate$' -- --line -p t 'k1K5/8/8/8/8/8/8/R7 b - - 0 1'
prints "PGN" 0 '^\[Result "1-0"\]$' '^\[SetUp "1"\]$' '^\[FEN "8/2P5/8/8/8/2k5/8/K7 w - - 0 1"\]$' '^{won, mates in 8 moves (15 plies)}$' '^1\. c8=Q+ ' '# 1-0$' \
  -- --pgn -p t "$pawn"
[ "$(sed -n '/^1\. /,$p' out | tr ' ' '\n' | grep -c '^[KQ]\|^c8')" -eq 15 ] || fail "PGN: not 15 plies"
prints "PGN: Black to move and wins" 0 '^\[Result "0-1"\]$' '^1\.\.\. ' '0-1$' -- --pgn -p t 'k6r/8/2K5/8/8/8/8/8 b - - 0 1'
prints "PGN: a draw" 0 '^\[Result "1/2-1/2"\]$' '^1/2-1/2$' -- --pgn -p t '8/8/8/8/8/2k5/8/K6N w - - 0 1'
prints "PGN: not known" 0 '^\[Result "\*"\]$' '^\*$' -- --pgn -p w "$rook"
prints "PGN: no table" 1 -- --pgn -p t/.. "$rook"
[ -s out ] && fail "PGN: no table: $(cat out)"
prints "PGN: clocks stay" 0 '^\[FEN "8/8/8/8/8/2k5/8/K6R w - - 7 33"\]$' '^33\. R' -- --pgn -p t '8/8/8/8/8/2k5/8/K6R w - - hmvc 7; fmvn 33;'

# ------------------------------------------------------------------------ JSON
prints "json: members of the web API" 0 '"category":"win","dtz":null,"precise_dtz":null,"dtm":27,"checkmate":false,"stalemate":false,"variant_win":false,"variant_loss":false,"insufficient_material":false,"metric":"dtm","unit":"plies","fifty_move_rule":false,"halfmove_clock":0}$' \
  '"move":"h1d1","result":"won","wdl":1,"plies":27,"best":true,"uci":"h1d1","san":"Rd1","zeroing":false,"conversion":false,"category":"loss","dtz":null,"precise_dtz":null,"dtm":-26,' \
  -- --json -p t "$rook"
prints "json: promotions" 0 '"san":"c8=Q+","zeroing":true,"conversion":true,"category":"loss",' '"san":"Kb1","zeroing":false,"conversion":false' -- --json -p t "$pawn"
prints "json: a draw" 0 '"category":"draw","dtz":0,"precise_dtz":0,"dtm":0,"checkmate":false,"stalemate":true' -- --json -p t 'k7/2Q5/1K6/8/8/8/8/8 b - - 0 1'
prints "json: checkmate" 0 '"category":"loss","dtz":-1,"precise_dtz":-1,"dtm":0,"checkmate":true' -- --json -p t:rule 'k1K5/8/8/8/8/8/8/R7 b - - 0 1'
prints "json: line" 0 '"line_end":"over","line":\[{"move":"c7c8q",.*"checkmate":true,"stalemate":false,[^]]*\]}$' -- --json --line -p t "$pawn"

# ------------------------------------------------- rounded plies, and clocks at the border of the 50-move rule
$mpi "$SD_BUILDDIR/tools/subdef-gen" KQvKR KBNvK --metric dtz50 -q -o four >gen.txt 2>&1 || { cat gen.txt; exit 1; }
syzygy=${SD_SRCDIR:-$SD_BUILDDIR/..}/tests/golden/syzygy # rounded
prints "rounded: both numbers" 0 '^  won; 50-move rule: won, zeroing in [0-9]* or [0-9]* plies$' -- -p "$syzygy" "$rook"
prints "rounded: JSON" 0 '"rounded":true,' '"precise_dtz":null' -- --json -p "$syzygy" "$rook"
prints "not rounded: JSON" 0 '"dtz":27,"precise_dtz":27' -- --json -p rule "$rook"
prints "rounded: a line leads on all the same" 0 '#$' -- --line -p "$syzygy" "$rook"
# category PATTERN FEN FOLDER...: of the position
category () {
  want=$1 fen=$2
  shift 2
  for folder; do
    "$subdef" probe --json -p "$folder" "$fen" 2>/dev/null | grep -q "\\],\"category\":\"$want\"" || fail "category: $fen in $folder is not $want"
  done
}
# move_category PATTERN SAN FEN FOLDER...: behind a move
move_category () {
  want=$1 san=$2 fen=$3
  shift 3
  for folder; do
    "$subdef" probe --json -p "$folder" "$fen" 2>/dev/null | grep -q "\"san\":\"$san\",[^}]*\"category\":\"$want\"" || fail "category: $san in $fen in $folder is not $want"
  done
}
category win '7k/8/5KQ1/8/8/8/8/8 w - - 99 148' four "$syzygy"
category cursed-win '7k/8/5KQ1/8/8/8/8/8 w - - 100 148' four "$syzygy"
category cursed-win '7k/8/5KQ1/8/8/8/8/8 w - - 101 148' four "$syzygy"
move_category loss Qg7# '7k/8/5KQ1/8/8/8/8/8 w - - 99 148' four "$syzygy"
move_category blessed-loss Qg7# '7k/8/5KQ1/8/8/8/8/8 w - - 100 148' four "$syzygy"
move_category blessed-loss Qg7# '7k/8/5KQ1/8/8/8/8/8 w - - 101 148' four "$syzygy"
category 'blessed-loss' '2n5/K1k5/8/8/2b5/8/8/8 w - - 99 129' four
move_category cursed-win Ka8 '2n5/K1k5/8/8/2b5/8/8/8 w - - 99 129' four
category '\(syzygy\|blessed\)-loss' 'K7/2k5/3n4/8/2b5/8/8/8 w - - 97 128' four

# ------------------------------------------------------------------------- files that are missing
mkdir half && cp "$syzygy"/KPvK.rtb? half
prints "half: the position is known" 1 '^  won; 50-move rule: won' -- --line -p half '8/5P2/8/8/8/2k5/8/K7 w - - 0 1'
grep -q '^  \*' out && fail "half: best among moves that are not known: $(grep '^  \*' out)"
grep -q "not found in half: .*; 'subdef gen --metric dtz50 .*KQvK.* -o " err || fail "half: what is missing: $(cat err)"
grep -q 'KPvK' err && fail "half: what is there is called missing: $(cat err)"
grep -q 'not known: tables are missing$' out || fail "half: the line: $(tail -3 out)"
rm half/KPvK.rtbw
prints "half: results are missing" 1 '^  ?$' -- -p half '8/5P2/8/8/8/2k5/8/K7 w - - 0 1'
grep -q 'not found in half: KPvK.rtbw; it tells the results' err || fail "half: without results: $(cat err)"
mkdir alone && cp rule/KPvK.dtz50.sdt alone
prints "alone: quiet moves are not best before promotions that are not known" 1 '^    [ac]' -- -p alone '8/5P2/8/8/8/2k5/8/K7 w - - 0 1'

# ------------------------------------------- castling, more men than tables have, short texts
prints "castling: all moves are known" 0 '^  won, mates in' '^  [* ] e1g1   won, mates in' -- -p t '4k3/8/8/8/8/8/8/4K2R w K - 0 1'
prints "castling: as people write it" 0 '"e1g1"' '"san":"O-O","zeroing":false' -- --json -p t '4k3/8/8/8/8/8/8/4K2R w K - 0 1'
prints "castling: the right stays in PGN" 0 '^\[FEN "4k3/8/8/8/8/8/8/4K2R w K - 3 9"\]$' '# 1-0$' -- --pgn -p t '4k3/8/8/8/8/8/8/4K2R w K - 3 9'
prints "castling: moves that keep a right are not known" 1 '^  ?$' '^    e8[a-h][78]   ?$' -- -p t '4k3/8/8/8/8/8/8/4K2R b K - 0 1'
prints "8 men: a mate wins" 1 '"result":"won","wdl":1,"plies":1,' '"best":true,"uci":"e2h2","san":"Rh2#"' '"result":"unknown","wdl":null,"best":false' '"category":"win"' \
  -- --json -p t '7k/7p/1R6/6P1/P7/5n2/4r3/7K b - - 0 41'
prints "8 men: nothing is known" 1 '^  ?$' -- -p t '4K1k1/1N1P4/8/8/8/1q6/5PPP/8 w - - 0 1'
grep -q "^subdef probe: note: tables hold at most 7 men: only moves" err && [ "$(wc -l <err)" = 1 ] || fail "8 men: why: $(cat err)"
start='rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'
prints "32 men: as lines" 1 '^    b1a3   ?$' -- -p t "$start"
prints "32 men: drawn" 1 '^  6 . . . . . . . .    tables hold at most 7 men$' -- --board -p t "$start"
prints "32 men: as a record" 1 '"category":"unknown".*"no_table":"tables hold at most 7 men"}$' -- --json -p t "$start"
prints "32 men: as a game" 1 -- --pgn -p t "$start"
[ "$(cat err)" = "subdef probe: note: tables hold at most 7 men: only moves that lead to positions of tables tell of others" ] ||
  fail "32 men: the reason: $(cat err)"
prints "32 men: a value" 2 -- --metric wdl -p t "$start"
grep -q 'FEN: the position has 32 men: tables hold at most 7$' err || fail "32 men: a value: $(cat err)"
prints "castling: why" 0 '"no_table":"tables know no castling rights"}$' -- --json -p t '4k3/8/8/8/8/8/8/4K2R w K - 0 1'
prints "a plural" 2 -- -p t '8/8/8/8/8/2k5/8/1 w'
grep -q 'FEN: rank 1: 1 square is given, a rank has 8$' err || fail "a plural: $(cat err)"
prints "one ply" 0 '^  \* h1h8   won, mates in 1 move (1 ply)$' -- -p t 'k7/8/1K6/8/8/8/8/7R w - - 0 1'
prints "5 men: a known capture wins" 1 '^  won$' '^    h1h8   won, mates in' '^    a1b1   ?$' -- -p t '7q/8/8/8/8/p1k5/8/K6R w - - 0 1'
prints "a FEN of one field" 0 '^  won, mates in 14 moves (27 plies)$' -- -p t '8/8/8/8/8/2k5/8/K6R'
prints "a FEN of five fields" 0 '"halfmove_clock":7}$' -- --json -p t '8/8/8/8/8/2k5/8/K6R w - - 7'

# --------------------------------------------------------------------- streams
cat >positions <<'LINES'
# a comment

8/8/8/8/8/2k5/8/K6R w - - bm Rd1; id "a;b";
8/8/8/8/8/2k5/8/K6R b - -	
  8/8/8/8/8/2k5/8/K6N w - - 0 1
k1K5/8/8/8/8/8/8/R7 b - - 0 1
LINES
printf '8/8/8/8/8/2k5/8/K7 w - - 0 1' >>positions # without a newline
printf '1\n-1\n0\n-1\n0\n' >wdl.want
printf '27\n-31\n0\n-1\n0\n' >dtm.want
for metric in wdl dtm; do
  prints "stream of $metric" 0 -- --metric $metric -p w:t -i positions
  cut -f1 out | cmp -s - $metric.want || fail "stream of $metric: $(cut -f1 out | tr '\n' ' ')"
done
[ "$(cut -f2 out | head -1)" = '8/8/8/8/8/2k5/8/K6R w - - bm Rd1; id "a;b";' ] || fail "stream: the line as it was given: $(head -1 out)"
"$subdef" probe --metric wdl -p w - <positions >out2 2>err && cut -f1 out2 | cmp -s - wdl.want || fail "stream: standard input"
{ printf '\357\273\277'; cat positions; } >marked
"$subdef" probe --metric wdl -p w --input marked >out2 2>err && cut -f1 out2 | cmp -s - wdl.want || fail "stream: a byte order mark"
printf '\357\273\277%s\n' "$rook" >marked
"$subdef" probe -p t --input marked >out2 2>err || fail "positions: a byte order mark: $(head -1 err)"
prints "stream: arguments" 0 '^27	8/8/8/8/8/2k5/8/K6R w - - 0 1$' '^15	8/2P5' -- --metric dtm -p t "$pawn" "$rook"
prints "stream of dtz50" 0 '^27	' -- --metric dtz50 -p rule "$rook"
prints "stream of wdl50" 0 '^2	' -- --metric wdl50 -p rule "$rook"
printf '%s\nnonsense\n8/8/8/8/8/2k5/8/KBN5 w - - 0 1\n%s\n' "$rook" "$rook" >bad
prints "stream: lines that fail" 1 '^?	nonsense$' '^?	8/8/8/8/8/2k5/8/KBN5 w' -- --metric wdl -p w -i bad
[ "$(grep -c '^1	' out)" -eq 2 ] || fail "stream: the other lines"
grep -q "^subdef probe: bad:2: 'nonsense': FEN: rank 8" err && grep -q "not found in w: KBNvK; 'subdef gen KBNvK -o" err && [ "$(wc -l <err)" -eq 2 ] || fail "stream: messages: $(cat err)"
prints "stream: a bad argument" 2 -- --metric wdl -p w nonsense
prints "stream: no file" 1 -- --metric wdl -p w -i nowhere
# many lines, several threads, in order; the answer of each is that of its own record
awk 'function row (r, a, at, b, bt, c, ct,   f, t, e) { t = ""; e = 0
    for (f = 0; f < 8; f++) { m = r * 8 + f == a ? at : r * 8 + f == b ? bt : r * 8 + f == c ? ct : ""; if (m == "") e++; else { if (e) t = t e; t = t m; e = 0 } }
    return e ? t e : t }
  BEGIN { for (k = 0; k < 64; k++) for (q = 0; q < 64; q++) for (p = 8; p < 56; p += 5) {
    if (k == q || k == p || q == p) continue
    t = ""; for (r = 7; r >= 0; r--) t = t row(r, k, "K", q, "k", p, "P") (r ? "/" : "")
    print t " w - - 0 1"; print t " b - - 0 1" } }' >many
"$subdef" probe --metric dtm -p t -i many >one 2>err
"$subdef" probe --metric dtm -p t --threads 4 -i many >by-four 2>err4
cmp -s one by-four && [ "$(wc -l <one)" -eq "$(wc -l <many)" ] || fail "stream: threads change the answers"
cmp -s err err4 && grep -q "kings stand on adjacent" err || fail "stream: threads change the messages"
cut -f2- one | cmp -s - many || fail "stream: the order of lines"
awk -F '\t' 'NR % 997 == 1 && $1 != "?"' one >some
cut -f2 some | "$subdef" probe --json -p t - 2>/dev/null | sed 's/.*}\],"category":"[a-z]*","dtz":[^,]*,"precise_dtz":[^,]*,"dtm":\([-0-9]*\),.*/\1/' >dtm.some
awk -F '\t' '{ print $1 < 0 ? $1 + 1 : $1 }' some | cmp -s - dtm.some && [ "$(wc -l <some)" -gt 20 ] || fail "stream: not what records say"
# a line after the other: each answer comes before the next line is written
mkfifo ask tell
"$subdef" probe --metric wdl -p w - <ask >tell 2>err &
exec 3>ask 4<tell
for want in 1 -1; do
  if [ $want = 1 ]; then echo "$rook" >&3; else echo '8/8/8/8/8/2k5/8/K6R b - - 0 1' >&3; fi
  IFS='	' read -r value rest <&4
  [ "$value" = $want ] || fail "a dialogue: $value, expected $want"
done
exec 3>&- 4<&-
wait

# ----------------------------------------------------------------- wrong usage
for options in "--metric wdl --json" "--metric wdl --line" "--metric wdl --game draughts" "--threads 2" "--json --pgn" "--board --lines" "--threads 0 --metric wdl" "--metric best" "--input="; do
  # shellcheck disable=SC2086
  "$subdef" probe $options -p t "$rook" >out 2>err
  [ $? -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] && [ ! -s out ] || fail "probe $options: $(cat err)"
done
exit $failed
