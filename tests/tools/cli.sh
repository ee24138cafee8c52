#!/bin/sh
# The commands as a user types them, in a folder of their own: what they print, what they refuse and how they say so. Each refusal is
# one line on stderr with the place and the reason, exit 1 (failed) or 2 (wrong usage), nothing on stdout, and no half-written file.
build=$(cd "${SD_BUILDDIR:-.}" && pwd) here=$(cd "$(dirname "$0")" && pwd)
subdef=$build/tools/subdef gen=$build/tools/subdef-gen helper=$build/tests/tools/cli_helper
work=$(mktemp -d) || exit 99
trap 'chmod -R u+rwX "$work" 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 99
unset SUBDEF_PATH
ulimit -c 0 2>/dev/null # some of the signals below would leave a core
failures=0 number=0
mpi="env ASAN_OPTIONS=detect_leaks=0" # before what runs MPI: its own leaks are not ours

ok () {
  number=$((number + 1))
  echo "ok $number - $1"
}
not_ok () {
  number=$((number + 1)) failures=$((failures + 1))
  echo "not ok $number - $1: $2"
  sed 's/^/#   /' err | head -6
}
# check TITLE COMMAND...: the command is true
check () {
  title=$1
  shift
  if "$@" >check.out 2>&1; then ok "$title"; else not_ok "$title" "$(head -3 check.out)"; fi
}
# good TITLE ARGUMENTS...: exit 0, nothing on stderr; what it printed stays in out
good () {
  title=$1
  shift
  run=
  [ "$1" = gen ] && run=$mpi
  $run "$subdef" "$@" >out 2>err </dev/null
  status=$?
  if [ $status -ne 0 ]; then not_ok "$title" "exit $status"
  elif grep -q -v "$sources" err; then not_ok "$title" "something on stderr"
  else ok "$title"; fi
}
# built from no exact source (a tarball, changes that are not committed) the program says so of rows that are there
# and that other programs were running is said of times
sources='timed while other programs\|names no exact source\|computed by another commit: commit \(unknown\|[0-9a-f]*-dirty\)'
# swept TITLE PATTERN ARGUMENTS...: exit 0, and one line on stderr, the summary of a sweep
swept () {
  title=$1 pattern=$2
  shift 2
  "$subdef" sweep "$@" >out 2>err </dev/null
  status=$?
  if [ $status -ne 0 ]; then not_ok "$title" "exit $status"
  elif [ "$(grep -v -c "$sources" err)" -ne 1 ] || ! grep -q -e "$pattern" err; then not_ok "$title" "stderr is not '$pattern'"
  elif [ -s out ]; then not_ok "$title" "output: $(head -2 out)"
  else ok "$title"; fi
}
# prints TITLE PATTERN: the output of the last command has such a line
prints () {
  if grep -q -e "$2" out; then ok "$1"; else not_ok "$1" "no line like '$2' in: $(head -4 out)"; fi
}
# told TITLE STATUS PATTERN: judges status, out, err of a command that had to fail
told () {
  if [ "$status" -ne "$2" ]; then not_ok "$1" "exit $status, expected $2"
  elif [ "$(wc -l <err)" -ne 1 ]; then not_ok "$1" "$(wc -l <err) lines on stderr"
  elif ! grep -q -e "$3" err; then not_ok "$1" "the message does not say '$3'"
  elif [ -s out ]; then not_ok "$1" "output: $(head -2 out)"
  elif [ -n "$(find . -name '*.tmp')" ]; then not_ok "$1" "left behind: $(find . -name '*.tmp')"; find . -name '*.tmp' -exec rm {} +
  else ok "$1"; fi
}
# bad TITLE STATUS PATTERN ARGUMENTS...: refused with one line, which begins with the command that was typed
bad () {
  title=$1 want=$2 pattern=$3
  shift 3
  run=
  [ "$1" = gen ] && run=$mpi
  $run "$subdef" "$@" >out 2>err </dev/null
  status=$?
  by="subdef $1"
  [ "$1" = prob ] && by=subdef
  if grep -q "^$by: " err; then told "$title" "$want" "$pattern"; else not_ok "$title" "it does not begin with '$by: '"; fi
}
# lacks TITLE PATTERN ARGUMENTS...: exit 1, an answer with what is known, one line on stderr about what is missing
lacks () {
  title=$1 pattern=$2
  shift 2
  "$subdef" "$@" >out 2>err </dev/null
  status=$?
  if [ $status -ne 1 ]; then not_ok "$title" "exit $status, expected 1"
  elif [ "$(grep -v -c "$sources" err)" -ne 1 ] || ! grep -q -e "$pattern" err; then not_ok "$title" "the message is not '$pattern'"
  elif [ ! -s out ]; then not_ok "$title" "nothing is printed"
  else ok "$title"; fi
}
absent () {
  if [ -e "$2" ]; then not_ok "$1" "$2 is there"; else ok "$1"; fi
}
json () {
  if command -v python3 >/dev/null && python3 -c '' 2>/dev/null; then
    if python3 -c 'import json,sys
for line in (sys.stdin if sys.argv[1] == "lines" else [sys.stdin.read()]): json.loads(line)' "$2" <out 2>check.out
    then ok "$1"; else not_ok "$1" "$(tail -1 check.out)"; fi
  else ok "$1 # SKIP no python3"; fi
}

# ------------------------------------------------------------ help and usage
for c in gen reformat probe info list verify dump sweep report bench simulate; do
  good "$c --help" $c --help
  prints "$c --help says how it is called" "^Usage: subdef"
done
for c in gen reformat probe info list verify dump sweep report bench simulate; do
  for o in -h '-?'; do
    good "$c $o" $c $o
    prints "$c $o says how it is called" "^Usage: subdef"
  done
  for o in -V --version; do
    good "$c $o" $c $o
    prints "$c $o" "^subdef[-a-z]* [0-9]"
  done
done
for o in -h '-?' --help; do check "subdef-gen $o" "$gen" "$o"; done
good "help" --help
prints "help has a tour" "subdef gen KRvK -o tables"
for o in -h '-?'; do good "$o" "$o"; prints "$o has a tour" "subdef gen KRvK -o tables"; done
good "version" --version
bad "no such command" 2 "unknown command 'prob'" prob
for c in reformat probe info list verify dump sweep report bench simulate; do
  bad "$c: unknown option" 2 "unknown option '--frobnicate'" $c --frobnicate
done
bad "reformat: no ending" 2 "no ending is named" reformat
bad "probe: no position" 2 "no position is given" probe
bad "verify: no file" 2 "no file is named" verify
bad "info: no file" 2 "no file is named" info
bad "dump: no output" 2 "expected ENDING and OUT" dump KRvK
bad "bench: nothing to measure" 2 "probe, decode or encode" bench KRvK
bad "bench: the nearest word" 2 "did you mean \"probe\"" bench prbe KRvK
bad "simulate: no ending" 2 "expected an ending" simulate
bad "simulate: ranks" 2 "1 to 1048576 with commas" simulate KRvK --ranks 64,,8
bad "simulate: variants" 2 "mixed+balanced with commas" simulate KRvK --variants plain,best
bad "simulate: group" 2 "a number from 2 to 4096" simulate KRvK --group 1
bad "sweep: no file" 2 "no sweep file is named" sweep
bad "sweep: no output" 2 "-o OUT.db" sweep x.conf
bad "report: no database" 2 "no database" report
bad "list with an argument" 2 "--tables" list somewhere
bad "metric" 2 "expected wdl, dtm, wdl50, dtz50 or dtc" reformat KRvK --metric wld
bad "latency" 2 "2 parsecs" reformat KRvK --best --max-latency '2 parsecs'
bad "latency of nothing" 2 "--max-latency is a bound for --best or --best-of" reformat KRvK --max-latency 1us
for c in "best layouts=x.csv" "best order=KRk" "best numbering=z" "best best-of=x.db" "best-of=x.db layouts=x.csv" "best-of=x.db order=KRk" \
  "best-of=x.db numbering=z" "best-of=x.db codec=lzma" "best-of=x.db set=block=1024" "best-of=x.db freedom=none" "best-of=x.db coding=signed" \
  "layouts=x.csv order=KRk" "layouts=x.csv numbering=z" "preset=small layouts=x.csv" "preset=fast max-latency=1us" "preset=small best-of=x.db" \
  "preset=fast order=KRk" "preset=small numbering=z"; do
  a=${c%% *} b=${c#* }
  bad "reformat: $c" 2 "--${a%%=*} and --${b%%=*} exclude each other: " reformat KRvK "--$b" "--$a"
done
bad "men" 2 "3 to 7" reformat --men 12
bad "men and endings" 2 "either" reformat --men 3 KRvK
bad "threads" 2 "0 (all cores) to 256" sweep x.conf -o y.db --jobs=-3
bad "ranks" 2 "1 to 65536" gen --ranks 0 KRvK
bad "ranks behind" 2 "1 to 65536" gen KRvK --ranks=two
bad "ranks without a number" 2 "--ranks' requires an argument" gen KRvK --ranks

# ---------------------------------------------------------------- generating
$mpi "$gen" --men 3 -q -o t >out 2>err || not_ok "generating" "exit $?"
check "all endings with three men" [ "$(ls t | wc -l)" -eq 5 ]
$mpi "$subdef" gen --ranks 2 KNNvK -q -o t >out 2>err </dev/null
check "gen through the front door" [ $? -eq 0 -a -s t/KNNvK.dtm.sdt ]
$mpi "$subdef" gen --ranks 2 KRvK -q -o t/KRvK.dtm.sdt/x >out 2>err </dev/null
status=$?
told "gen: a folder below a file, without comments of mpirun" 1 "t/KRvK.dtm.sdt"

# ------------------------------------------------------- list, info, verify
good "list" list --tables t
prints "list: a line per table" "^KRvK  *dtm  *[zl][sz][tm][da]"
prints "list: a header" "^ending  *metric  *codec  *bytes  file$"
prints "list: sums up" "^6 tables, [0-9,]* bytes"
good "list --json" list --tables t --json
json "list --json is JSON" all
mkdir empty
"$subdef" list --tables empty >out 2>err
check "list: empty folder: what to do" grep -q "^subdef list: no tables in empty; 'subdef gen" err
check "list: empty folder: nothing else" [ ! -s out ]
good "list: empty folder --json" list --json --tables empty
json "list: empty folder: JSON" all
"$subdef" list --tables nowhere:t >out 2>err
check "list: one folder of two is there" [ $? -eq 0 ]
prints "list: one folder of two: its tables" "^6 tables"
check "list: one folder of two: a note" grep -qx "subdef list: note: nowhere: there is no such folder: passed over" err
bad "list: no such folder" 1 "nowhere: cannot list the folder: No such file" list --tables nowhere
SUBDEF_PATH=nowhere "$subdef" probe '8/8/8/8/8/2k5/8/K6R w - - 0 1' >out 2>err
status=$?
told "SUBDEF_PATH pointing nowhere" 1 "SUBDEF_PATH: nowhere: .*No such file"
good "info" info t/KRvK.dtm.sdt t/KPvK.dtm.sdt
prints "info: what and how" "KRvK dtm, signed plies"
good "info --json" info --json t/KRvK.dtm.sdt
json "info --json is JSON" all
good "verify: good tables" verify t/*.sdt
check "verify: one ok each" [ "$(grep -c ': ok: [1-9][0-9,]* positions, each against its moves (' out)" -eq 6 ]
good "verify: checksums only" verify --sums t/KRvK.dtm.sdt
prints "verify: checksums only: how much" "^t/KRvK.dtm.sdt: ok: the checksums of 13,277 bytes$"
good "verify: an ending on the path" verify --tables t KvKR
prints "verify: an ending: its file" "^t/KRvK.dtm.sdt: ok: "
good "info: an ending on the path" info --tables t KRvK
prints "info: an ending: its file" "^t/KRvK.dtm.sdt$"
bad "info: an ending that is not there" 1 "KQvKQ: no file of that name, and no table of that ending in t" info --tables t KQvKQ

# --------------------------------------------------------------- reformatting
good "reformat to WDL" reformat KRvK KPvK KQvK KBvK KNvK --metric wdl --tables t -o w
check "reformat: files are there" [ -s w/KRvK.wdl.sdt -a -s w/KPvK.wdl.sdt ]
prints "reformat: a line per table" "^KPvK  *wdl .*every position restored and compared"
good "reformat to DTM" reformat --men 3 --metric dtm -q --tables t -o w
good "reformat: mirrored name" reformat KvKR --metric wdl --codec lzma --set block=1024 --order RkK --tables t -o w2
check "reformat: mirrored name gives the usual file" [ -s w2/KRvK.wdl.sdt ]
good "reformat: all settings" reformat --set help
prints "reformat: the codecs and their settings" "^repair:"
good "verify: WDL, and DTM by WDL" verify w/*.sdt
check "verify: ten ok" [ "$(grep -c ': ok: ' out)" -eq 10 ]
check "verify: WDL also against DTM" [ "$(grep -c 'against the DTM table$' out)" -ge 1 ]
good "reformat: the same again" reformat KRvK --tables t -o w
prints "reformat: the same again: it is kept" "^KRvK  *wdl .* bytes  made before$"
bad "reformat: is there already" 1 "w/KRvK.wdl.sdt: is there already, made otherwise .*; -f" reformat KRvK --codec rle --tables t -o w
"$subdef" reformat KRvK --metric dtm --tables t -o w3 >out 2>err
check "reformat: DTM without WDL beside it: said" grep -q "w3/KRvK.dtm.sdt holds no WDL; it is read together with KRvK.wdl.sdt" err
lacks "probe: DTM without WDL" "not found in w3: KRvK.wdl.sdt; the DTM table beside it holds no WDL" probe --tables w3 '8/8/8/8/8/2k5/8/K6R w - - 0 1'
cp -r t own
bad "reformat: would drop the only WDL" 1 "holds WDL as well" reformat KRvK --metric dtm -f --tables own
check "reformat: and did not" cmp -s own/KRvK.dtm.sdt t/KRvK.dtm.sdt
bad "reformat: missing tables" 1 "KRvK.dtm.sdt: not found in empty; 'subdef gen KRvK -o empty' makes it" reformat KRvK --tables empty -o o
cp -r t own2 && "$subdef" reformat KPvK --metric wdl --with-successors -q --tables own2
bad "reformat: with successors: exact tables in the same folder" 1 "dtm.sdt: is the table that is to be recoded; -f" \
  reformat KPvK --metric dtm --with-successors --tables own2
check "reformat: with successors: and they are left" [ "$(for f in t/*; do cmp "$f" own2/"${f#t/}" 2>&1; done | wc -l)" -eq 0 ]
good "reformat: with successors: -f overwrites them" reformat KPvK --metric dtm --with-successors -f -q --tables own2
check "reformat: with successors: and did" [ "$(wc -c <own2/KPvK.dtm.sdt)" -lt "$(wc -c <t/KPvK.dtm.sdt)" ]
mkdir part && cp t/KPvK.dtm.sdt part
bad "reformat: missing sub-table" 1 "K[QRBN]vK.dtm.sdt: not found in part; 'subdef gen KPvK -o part'" reformat KPvK --tables part -o o
bad "dump: missing tables" 1 "KRvK.dtm.sdt: not found in empty; 'subdef gen" dump KRvK o.bin --tables empty
bad "verify: missing sub-table" 1 "K[QRBN]vK" verify --tables empty part/KPvK.dtm.sdt
lacks "probe: missing table" "not found in empty: KRvK; 'subdef gen KRvK -o empty' makes it$" probe --tables empty '8/8/8/8/8/2k5/8/K6R w - - 0 1'
lacks "probe: missing sub-tables" "not found in part: KQvK, KRvK; 'subdef gen KQvK KRvK -o part' makes them$" \
  probe --tables part '8/2P5/8/8/8/2k5/8/K7 w - - 0 1'
prints "probe: missing sub-tables: the position is known" "^  won, mates in"
prints "probe: missing sub-tables: so are other moves" "a1a2  *drawn\|a1a2  *won"
prints "probe: missing sub-tables: the moves that need them are not" "c7c8q  *?$"
mkdir small && cp w/KPvK.wdl.sdt small
lacks "probe: exact tables do not go beside small ones" "'subdef gen .* -o exact' makes them, to be found with --tables small:exact$" \
  probe --tables small '8/2P5/8/8/8/2k5/8/K7 w - - 0 1'
lacks "probe --json: missing sub-tables" "not found in part: KQvK" probe --json --tables part '8/2P5/8/8/8/2k5/8/K7 w - - 0 1'
json "probe --json: missing sub-tables: JSON" lines
prints "probe --json: missing sub-tables: named" '"result":"unknown".*"missing":."KQvK","KRvK".'
"$subdef" probe --json --tables empty '8/8/8/8/8/2k5/8/K6R w - - 0 1' >out 2>err
prints "probe --json: nothing known: named, too" '"result":"unknown".*"category":"unknown".*,"missing":."KRvK".}$'
mkdir tables2 not-exact && cp small/KPvK.wdl.sdt tables2 && cp small/KPvK.wdl.sdt not-exact
lacks "probe: a folder is on the path as a whole only" "'subdef gen KRvK -o exact' makes it, to be found with --tables not-exact:tables2:exact$" \
  probe --tables not-exact:tables2 '8/8/8/8/8/2k5/8/K6R w - - 0 1'
# some moves with distances, some with results alone: only what is surely best has a star
mkdir mixed && cp t/K[RBNP]vK.dtm.sdt mixed && cp w/KQvK.wdl.sdt mixed
good "probe: distances of some moves" probe --tables mixed '8/2P5/8/8/8/2k5/8/K7 w - - 0 1'
prints "probe: distances of some moves: the position's" "won, mates in 8 moves (15 plies)"
prints "probe: distances of some moves: one that is too long" "^    a1b1   won, mates in 10 moves (19 plies)"
check "probe: distances of some moves: the star of the only one that is left" [ "$(grep -c '^  [*] c7c8q  won' out)" -eq 1 ]
bad "reformat: two kings" 2 "KvK: two kings alone are always drawn" reformat KvK --tables t -o o
bad "reformat: no codec is fast enough: told, without advice" 1 "a lookup takes [0-9.]* ns at the least (.*repair.*), above the latency bound of 0.001 ns" reformat KRvK --best --max-latency 0.001ns --tables t -o o
bad "reformat: no such file of layouts: told, without advice" 1 "gone.csv: cannot be read: No such file or directory$" reformat KRvK --layouts gone.csv --tables t -o o
bad "reformat: a folder without a name" 2 "--output" reformat KRvK --tables t -o ""
bad "dump: a file without a name" 2 "name is empty" dump KRvK "" --tables t
bad "dump: no such folder: told, without advice" 1 "gone/x: cannot be written: No such file or directory$" dump KRvK gone/x --tables t
lacks "probe: an empty path" "empty table path: KRvK; 'subdef gen KRvK -o \\.' makes it" probe --tables '' '8/8/8/8/8/2k5/8/K6R w - - 0 1'
bad "unknown codec" 2 "codec zip" reformat KRvK --codec zip --tables none -o oo
absent "wrong options make no folder" oo
bad "setting out of range" 2 "block=7.*16 to" reformat KRvK --set block=7 --tables t -o o
bad "setting with letters" 2 "block=1x" reformat KRvK --set block=1x --tables t -o o
bad "unknown setting" 2 "blok" reformat KRvK --set blok=128 --tables t -o o
bad "unknown word" 2 "initial" reformat KRvK --set initial=magic --tables t -o o
bad "order with a foreign piece" 2 "'Q' is no piece" reformat KRvK --order KQk --tables t -o o
bad "order with a piece too few" 2 "order 'Kk'" reformat KRvK --order Kk --tables t -o o
bad "unknown numbering" 2 "spiral" reformat KRvK --numbering spiral --tables t -o o
bad "unknown freedom" 2 "liberty" reformat KRvK --freedom liberty --tables t -o o
bad "reformat: an endless latency" 2 "a number with ns, us, ms or s" reformat KRvK --metric wdl --best --max-latency 1e400s --tables t -o o
bad "unknown coding" 2 "binary" reformat KRvK --metric dtm --coding binary --tables t -o o
bad "unknown material" 2 "KXvK" reformat KXvK --tables t -o o
bad "material without a king" 2 "RvK" reformat RvK --tables t -o o
absent "a failed reformat leaves nothing" o/KRvK.wdl.sdt
absent "a failed dump leaves nothing" o.bin

# ------------------------------------------------------------------ probing
good "probe" probe --tables t '8/8/8/8/8/2k5/8/K6R w - - 0 1'
prints "probe: result and distance" "won, mates in 14 moves (27 plies)"
prints "probe: the best moves are marked" "^  \* h1d1 "
good "probe: two kings" probe --tables t '8/8/8/8/8/2k5/8/K7 w - - 0 1'
prints "probe: two kings: drawn" "^  drawn"
good "probe: checkmate" probe --tables t 'k1K5/8/8/8/8/8/8/R7 b - - 0 1'
prints "probe: checkmate: told" checkmate
good "probe: stalemate" probe --tables t 'k7/2Q5/1K6/8/8/8/8/8 b - - 0 1'
prints "probe: stalemate: told" stalemate
good "probe: black is the stronger side" probe --tables w 'k6r/8/2K5/8/8/8/8/8 b - - 0 1'
prints "probe: black is the stronger side: same distance" "(27 plies)"
good "probe --json" probe --json --tables t 'k7/2Q5/1K6/8/8/8/8/8 b - - 0 1' '8/8/8/8/8/2k5/8/K6R w - - 0 1'
json "probe --json is JSON, one a line" lines
good "probe with results alone" probe --tables w2:t '8/8/8/8/8/2k5/8/K6R b - - 0 1'
good "probe: tables with the 50-move rule" gen --metric dtz50 --codec lz4 -q KPvK -o rule
good "probe with the 50-move rule alone" probe --tables rule '8/2P5/8/8/8/2k5/8/K7 w - - 0 1'
prints "probe: the position with the rule" "^  won; 50-move rule: won, zeroing in 1 ply"
prints "probe: a pawn move counts anew" "^  \* c7c8q  won; 50-move rule: won, zeroing in 1 ply"
prints "probe: a quiet move does not" "^    a1b1   won; 50-move rule: won, zeroing in 3 plies"
prints "probe: drawn with the rule as well" "^    c7c8b  drawn$"
good "probe: DTM and the rule" probe --tables t:rule '8/8/8/8/8/2k5/8/K6R w - - 0 1'
prints "probe: both are told" "won, mates in 14 moves (27 plies); 50-move rule: won, zeroing in 27 plies"
good "probe --json: the rule" probe --json --tables rule '8/8/8/8/8/2k5/8/K6R b - - 0 1'
prints "probe --json: members of the rule" '"result":"lost","wdl":-1,"wdl50":-2,"dtz50":30,"ending"'
good "probe: wdl50 is made" reformat KRvK --metric wdl50 --tables rule -o rule-wdl -q
good "probe with wdl50 alone" probe --json --tables rule-wdl '8/8/8/8/8/2k5/8/K6R w - - 0 1'
prints "probe: wdl50 alone has no plies" '"result":"won","wdl":1,"wdl50":2,"ending"'
bad "import: a Syzygy file that is not there" 1 "KQvK.rtbw: there is no such file" import KQvK.rtbw
bad "import: a Syzygy file under another name" 2 "the stronger side first" import KvKQ.rtbz
bad "import: dtm of a Syzygy file" 2 "expected wdl, wdl50 or dtz50" import KQvK.rtbz --metric dtm
: >KQvK.rtbw
bad "import: an empty Syzygy file" 1 "KQvK.rtbw" import KQvK.rtbw
bad "import: plies from a file of results" 2 "plies stand in the .rtbz file" import KQvK.rtbw --metric dtz50
bad "import: a mask for a Syzygy file" 2 "unknown option '--mask'" import KQvK.rtbw --mask m.npy
bad "import: a codec for an array" 2 "unknown option '--codec'" import grid.npy --codec trees
bad "import: a Syzygy table under another name" 2 "is found as KQvK.wdl50.sdt only" import KQvK.rtbw -o x.sdt
bad "import: a Syzygy table as an array" 2 "is found as KQvK.wdl50.sdt only" import KQvK.rtbw -o x.sda
bad "import: a codec that is not there" 2 "expected .*repair" import KQvK.rtbw --codec best
bad "import: freedom without effect" 2 '"draw" means nothing for metric wdl50' import KQvK.rtbw --freedom illegal+draw
rm KQvK.rtbw
good "import: results of an .rtbz file" import "${SD_SRCDIR:-$build/..}/tests/golden/syzygy/KQvK.rtbz" --metric wdl50 -o made/of/KQvK.wdl50.sdt
prints "import: the file that the results come from is named" "^KQvK  *wdl50 .* compared with KQvK.rtbw)"
check "import: the file that was named is there" [ -s made/of/KQvK.wdl50.sdt ]
for what in probe decode encode; do
  bad "bench $what: a Syzygy file" 1 "is a Syzygy file, which is not measured" bench $what KRvK -m wdl50 --tables "${SD_SRCDIR:-$build/..}/tests/golden/syzygy"
done
good "probe: WDL of Syzygy files" probe -m wdl --tables "${SD_SRCDIR:-$build/..}/tests/golden/syzygy" '8/8/8/8/8/2k5/8/K6R w - - 0 1'
prints "probe: WDL of Syzygy files: a win" '^1	'
lacks "probe: DTM of Syzygy files" "answer with '--metric wdl50'" probe -m dtm --tables "${SD_SRCDIR:-$build/..}/tests/golden/syzygy" '8/8/8/8/8/2k5/8/K6R w - - 0 1'
bad "unknown coding of dtz50" 2 "have: signed, zeroing" reformat KRvK --metric dtz50 --coding moves --tables rule -o o
"$subdef" probe --metric wdl --tables t '4k3/8/8/8/8/8/8/4K2R w K - 0 1' >out 2>err
check "stream: castling rights" [ $? -eq 2 ]
check "stream: castling rights: told" grep -q "castling: 'K'" err
bad "FEN: castling without a rook" 2 "castling: 'Q': king and rook" probe --tables t '4k3/8/8/8/8/8/8/4K2R w Q - 0 1'
bad "FEN: nine kings" 2 "kings" probe --tables t 'KKKKKKKK/K7/8/8/8/8/8/k7 w - - 0 1'
"$subdef" probe --metric wdl --tables t 'KBBBBBB1/8/8/8/8/8/8/k7 w - - 0 1' >out 2>err
check "stream: 8 men" [ $? -eq 1 ]
check "stream: 8 men: told" grep -q "8 men: tables hold at most 7" err
bad "FEN: nonsense" 2 "FEN: rank 8" probe --tables t nonsense
bad "FEN: empty" 2 "FEN: .*empty" probe --tables t ''
bad "FEN: mover's opponent in check" 2 "FEN\|check" probe --tables t 'k1K5/8/8/8/8/8/8/R7 w - - 0 1'
bad "FEN: pawn on the last rank" 2 "ranks 2 to 7" probe --tables t 'P7/8/8/8/8/2k5/8/K7 w - - 0 1'
bad "FEN: no such en-passant square" 2 "FEN: en passant" probe --tables t '8/8/8/8/8/2k5/8/K6R w - e3 0 1'
bad "FEN: neither White nor Black to move" 2 "FEN: .*'x'" probe --tables t '8/8/8/8/8/2k5/8/K6R x - - 0 1'

# ------------------------------------------------------------------ streams
cat >lines <<'EOF'
# a comment

8/8/8/8/8/2k5/8/K6R w - - bm Rd1; id "a;b";
8/8/8/8/8/2k5/8/K6R w - - 0 1 acd 3;
nonsense
8/8/8/8/8/2k5/8/K6R w - -
  8/8/8/8/8/2k5/8/K6R w - - 30 40
8/8/8/8/8/2k5/8/K6R w - - 80 90
8/8/8/8/8/2k5/8/K6R w K - 0 1
EOF
"$subdef" probe --json --tables t - <lines >out 2>err
check "stream: a line that failed makes it exit 1" [ $? -eq 1 ]
json "stream: JSON" lines
check "stream: a record for each line that is neither blank nor a comment" [ "$(wc -l <out)" -eq 7 ]
check "stream: five answers" [ "$(grep -c '"result":"won","wdl":1,"plies":27,"ending":"KRvK","moves":' out)" -eq 5 ]
prints "stream: a record of a failure" '^{"line":5,"fen":"nonsense","error":"FEN: rank 8: '
prints "stream: and of the last line" '^{"line":9,"fen":"8/8/8/8/8/2k5/8/K6R w K - 0 1","error":"FEN: castling: .*K.*at home'
check "stream: the message names line and text" grep -q "^subdef probe: stdin:5: 'nonsense': FEN: rank 8: " err
check "stream: the half-move clock, once" [ "$(grep -c 'note: a half-move clock does not count where no table knows the 50-move rule$' err)" -eq 1 ]
check "stream: nothing else" [ "$(wc -l <err)" -eq 3 ]
printf '8/8/8/8/8/2k5/8/K6R w - - \377x\n' >lines
"$subdef" probe --json --tables t - <lines >out 2>err
check "stream: a line that is no UTF-8" [ $? -eq 1 ]
json "stream: no UTF-8: JSON" lines
check "stream: no UTF-8: a record" [ "$(wc -l <out)" -eq 1 ]
# a reader that goes away ends the command as SIGPIPE does, without a word and without the rest of the lines
yes '8/8/8/8/8/2k5/8/K6R w - - 0 1' | head -200000 >many
(timeout 20 "$subdef" probe --tables t - <many 2>err; echo $? >status) | head -1 >out
check "no reader: probe ends as by SIGPIPE" [ "$(cat status)" -eq 141 ]
check "no reader: probe says nothing" [ ! -s err -a -s out ]
cp "$here/../data/race.txt" .
mkdir g && $mpi "$gen" --game graph:race.txt -q -o g >out 2>err
# other games: a table that is missing or damaged behind a move
$mpi "$gen" --game draughts MvK -q -o dr >out 2>err
mkdir dr-less dr-bad && cp dr/*KvM* dr-less && cp dr/* dr-bad && head -c 40 dr/draughts-KvK.dtm.sdt >dr-bad/draughts-KvK.dtm.sdt
"$subdef" probe --json --game draughts --tables dr-less W:W5:BK32 >out 2>err
check "draughts: a table is missing" [ $? -eq 1 ]
prints "draughts --json: which" '"result":"drawn".*"missing":."KvK".}$'
"$subdef" probe --game draughts --tables dr-bad W:W5:BK32 >out 2>err
check "draughts: a damaged table behind a move" [ $? -eq 1 ]
prints "draughts: a damaged table behind a move: the position is known" "^  drawn"
prints "draughts: a damaged table behind a move: the only move is worth what the position is" "^  [*] 5-1  *drawn$"
check "draughts: a damaged table behind a move: told" grep -q "^subdef probe: W:W5:BK32: dr-bad/draughts-KvK.dtm.sdt: the header is cut off" err
for c in "list --tables t" "info t/KRvK.dtm.sdt" "verify t/KRvK.dtm.sdt" "dump --game graph:race.txt race --text --tables g"; do
  # shellcheck disable=SC2086
  (sleep 0.3; "$subdef" $c 2>err; echo $? >status) | true
  check "no reader: $c" [ "$(cat status)" -eq 141 -a ! -s err ]
done

# ------------------------------------------------- no regular files, links, signals
mkdir odd && cp t/KRvK.dtm.sdt odd && mkfifo odd/KQvK.dtm.sdt odd/race.txt odd/s.conf && mkdir odd/KBvK.dtm.sdt
# soon TITLE PATTERN ARGUMENTS...: fails, and does not wait for a writer
soon () {
  title=$1 pattern=$2
  shift 2
  timeout 20 "$subdef" "$@" >out 2>err </dev/null
  status=$?
  if [ $status -ne 1 ]; then not_ok "$title" "exit $status, expected 1"
  elif ! grep -q -e "$pattern" err; then not_ok "$title" "the message does not say '$pattern'"
  else ok "$title"; fi
}
(timeout 20 "$subdef" probe --tables odd '8/8/8/8/8/2k5/8/K6R w - - 0 1' >out 2>err)
check "a FIFO among the tables disturbs no other" [ $? -eq 0 ]
soon "a FIFO named like a table: list" "odd/KQvK.dtm.sdt: is not a regular file" list --tables odd
soon "a folder named like a table: list" "odd/KBvK.dtm.sdt: is not a regular file" list --tables odd
soon "a FIFO named like a table: info" "odd/KQvK.dtm.sdt: is not a regular file" info odd/KQvK.dtm.sdt
soon "a FIFO as a graph" "odd/race.txt: is not a regular file" probe --game graph:odd/race.txt --tables t start
soon "a FIFO as a sweep file" "odd/s.conf: is not a regular file" sweep odd/s.conf -o odd.db --tables t
soon "a FIFO as a file of layouts" "odd/s.conf: is not a regular file" reformat KRvK --layouts odd/s.conf --tables t -o odd/o
# whoever may write into the folder cannot have the output written elsewhere
echo precious >victim && mkdir planted
host=$(hostname | cut -c1-32)
# shellcheck disable=SC2016
sh -c 'ln -s ../victim "planted/KRvK.bin.$1.$$.tmp" && exec "$2" dump KRvK planted/KRvK.bin --tables t' sh "$host" "$subdef" >out 2>err
check "planted links: the dump is a file of its own" [ $? -eq 0 -a ! -L planted/KRvK.bin ]
check "planted links: nobody else's file is written" [ "$(cat victim)" = precious ]
rm -rf planted
for s in INT TERM HUP QUIT XCPU; do
  try=0 name=none
  # again where the signal came when the file was complete
  while [ $try -lt 40 ] && [ $name != $s -o -e sig/KPvK.bin ]; do
    try=$((try + 1))
    rm -rf sig && mkdir sig
    # sh has jobs in the background ignore SIGINT, nohup has all of them ignore SIGHUP, and the command would leave it so
    env --default-signal=INT,TERM,HUP,QUIT,XCPU "$subdef" dump KPvK sig/KPvK.bin --tables t >out 2>err &
    pid=$!
    until ls sig/*.tmp >/dev/null 2>&1 || ! kill -0 $pid 2>/dev/null; do :; done
    kill -$s $pid 2>/dev/null
    wait $pid 2>/dev/null
    status=$? name=none
    [ $status -gt 128 ] && name=$(kill -l $status)
  done
  check "SIG$s: dies by it" [ $name = $s ]
  check "SIG$s: leaves nothing" [ -z "$(ls sig)" ]
done
rm -rf sig && mkdir sig
(ulimit -f 2; exec "$subdef" dump KPvK sig/KPvK.bin --tables t) >out 2>err
status=$? name=none
[ $status -gt 128 ] && name=$(kill -l $status)
check "SIGXFSZ: dies by it" [ $name = XFSZ ]
check "SIGXFSZ: leaves nothing" [ -z "$(ls sig)" ]
# verify looks at the checksums of the tables that it trusts
mkdir trust && cp w/K?vK.wdl.sdt trust
size=$(wc -c <trust/KQvK.wdl.sdt)
printf '\125\252' | dd of=trust/KQvK.wdl.sdt bs=1 seek=$((size - 20)) conv=notrunc 2>/dev/null
bad "verify: a damaged sub-table is named" 1 "trust/KQvK.wdl.sdt: .*checksum" verify --tables empty trust/KPvK.wdl.sdt

# the values of a dump, position by position, through each kind of table
for m in KRvK KPvK; do
  good "dump $m" dump $m $m.bin --tables t
  "$helper" positions $m $m.bin 300 7 >expected
  cut -d'|' -f1 expected >fens
  for dir in t w; do
    "$subdef" probe --json --tables $dir - <fens 2>err \
      | sed 's/^{"fen":"\([^"]*\)","result":"\([a-z]*\)","wdl":[-01]*\(,"plies":\([0-9]*\)\)\{0,1\},"ending":.*}$/\1|\2|\4/' >seen
    if cmp -s expected seen; then ok "300 probes of $m in $dir equal the dump"
    else not_ok "300 probes of $m in $dir equal the dump" "$(diff expected seen | head -4)"; fi
  done
done
good "dump: from reformatted tables" dump KPvK again.bin --tables w
check "dump: the same" cmp -s KPvK.bin again.bin
good "dump: mirrored name" dump KvKR KvKR.bin --tables t
"$helper" positions KvKR KvKR.bin 100 3 >expected
cut -d'|' -f1 expected >fens
"$subdef" probe --json --tables t - <fens 2>err \
  | sed 's/^{"fen":"\([^"]*\)","result":"\([a-z]*\)","wdl":[-01]*\(,"plies":\([0-9]*\)\)\{0,1\},"ending":.*}$/\1|\2|\4/' >seen
check "dump: mirrored name: White's squares first" cmp -s expected seen
good "dump: the name is not overwritten on failure" dump KRvK KRvK.bin --tables t
bad "dump: into a folder" 1 "empty: cannot be written" dump KRvK empty --tables t
bad "dump: onto a device" 1 "/dev/null: cannot be written" dump KRvK /dev/null --tables t

# ---------------------------------------------------------- damaged, foreign
mkdir x
size=$(wc -c <t/KRvK.dtm.sdt)
for n in 0 1 8 20 40 $((size / 2)) $((size - 1)); do
  head -c "$n" t/KRvK.dtm.sdt >x/KRvK.dtm.sdt
  bad "truncated to $n bytes: info" 1 "x/KRvK.dtm.sdt: " info x/KRvK.dtm.sdt
  bad "truncated to $n bytes: probe" 1 "x/KRvK.dtm.sdt: " probe --tables x '8/8/8/8/8/2k5/8/K6R w - - 0 1'
done
(cat t/KRvK.dtm.sdt; echo more) >x/KRvK.dtm.sdt
bad "with bytes behind its end" 1 "x/KRvK.dtm.sdt: " verify x/KRvK.dtm.sdt
for at in 0 3 4 5 9 14 20 29 38 47 60 $(seq 80 397 "$size"); do
  cp t/KRvK.dtm.sdt x/KRvK.dtm.sdt
  byte=$(od -An -tu1 -j "$at" -N1 x/KRvK.dtm.sdt | tr -d ' ')
  printf "\\$(printf %o $((byte ^ (1 << (at % 8)))))" | dd of=x/KRvK.dtm.sdt bs=1 seek="$at" conv=notrunc 2>/dev/null
  "$subdef" verify x/KRvK.dtm.sdt >out 2>err
  status=$?
  [ $status -eq 1 ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] && grep -q '^subdef[a-z ]*: x/KRvK.dtm.sdt: ' err && continue
  not_ok "bit $((at % 8)) of byte $at flipped" "exit $status"
done
ok "flipped bits are found and told"
bad "damaged sub-table in reformat" 1 "x/KRvK.dtm.sdt: " reformat KRvK --tables x -o o
bad "damaged table in probe" 1 "x/KRvK.dtm.sdt: " probe --tables x '8/8/8/8/8/2k5/8/K6R w - - 0 1'
head -c 30 t/KRvK.dtm.sdt >x/KRvK.dtm.sdt
bad "damaged table in list" 1 "x/KRvK.dtm.sdt: " list --tables x
cp t/KQvK.dtm.sdt x/KRvK.dtm.sdt
bad "another table under the name" 1 "holds another table" probe --tables x '8/8/8/8/8/2k5/8/K6R w - - 0 1'
cp t/KRvK.dtm.sdt x/KRvK.dtm.sdt
echo "1. e4 e5 2. Nf3 Nc6, a text that is no table at all, long enough to be one." >text
: >nothing
for c in info verify; do
  bad "$c: a text" 1 "text: not a table file" $c text
  bad "$c: an empty file" 1 "nothing: " $c nothing
  bad "$c: a folder" 1 "empty: is not a regular file" $c empty
  bad "$c: a device" 1 "/dev/null: is not a regular file" $c /dev/null
  bad "$c: no file" 1 "gone: no.* such file\|gone: no file of that name\|gone: .*No such file" $c gone
done
cp t/KRvK.dtm.sdt newer
printf '\143' | dd of=newer bs=1 seek=4 conv=notrunc 2>/dev/null
bad "a newer version" 1 "newer: .*version 99" info newer
bad "report: a folder without a name" 2 "name of a folder" report x.db -o ''
bad "report: a baseline without a codec" 2 "GROUP/CODEC" report x.db --baseline orders
bad "report of something else" 1 "text: " report text -o r
bad "report of nothing" 1 "gone.db" report gone.db -o r
absent "a failed report makes no database" gone.db

# wrong values under right checksums
mkdir wrong && cp t/* wrong && rm wrong/KRvK.dtm.sdt
"$helper" tamper t KRvK dtm wrong/KRvK.dtm.sdt 2>err || not_ok "tampering" "$?"
good "a wrong distance: the checksums are right" verify --sums wrong/KRvK.dtm.sdt
bad "a wrong distance is found" 1 "KRvK.dtm.sdt: .* w - - .*the table says mate in" verify wrong/KRvK.dtm.sdt
mkdir wrongw && cp w/* wrongw && rm wrongw/KPvK.wdl.sdt wrongw/*.dtm.sdt
"$helper" tamper t KPvK wdl wrongw/KPvK.wdl.sdt 2>err || not_ok "tampering" "$?"
bad "a wrong result is found" 1 "KPvK.wdl.sdt: .* the table says " verify wrongw/KPvK.wdl.sdt

# ------------------------------------------------------- full disk, no rights
# limited BYTES/512 ARGUMENTS...: as on a disk with that much room
limited () {
  (blocks=$1; shift; trap '' XFSZ; ulimit -f "$blocks"; exec "$subdef" "$@" 2>&1 >/dev/null) >message </dev/null
  status=$?
  mv message err
  : >out
}
limited 2 reformat KRvK --metric dtm --tables t -o full
told "disk full: reformat" 1 "full/KRvK.dtm.sdt: write failed: "
limited 100 dump KRvK full/KRvK.bin --tables t
told "disk full: dump" 1 "full/KRvK.bin: write failed: "
check "disk full: nothing stays but the list of what was made" [ "$(ls full)" = made.list ]
if [ -w /dev/full ]; then
  for c in "list --tables t" "info t/KRvK.dtm.sdt" "verify t/KRvK.dtm.sdt" "reformat --set help" "probe --help" "info --json t/KRvK.dtm.sdt"; do
    # shellcheck disable=SC2086
    "$subdef" $c >/dev/full 2>err
    status=$?
    : >out
    told "standard output full: $c" 1 "standard output: write failed: No space left"
  done
fi
bad "folder below a file: reformat" 1 "text.*Not a directory" reformat KRvK -o text/sub --tables t
bad "dump below a file" 1 "text/x.bin: cannot be written: Not a directory" dump KRvK text/x.bin --tables t
bad "report below a file" 1 "text" report text/x.db -o text/r
mkdir locked && chmod 555 locked
as_user=
[ "$(id -u)" -eq 0 ] && as_user="setpriv --reuid=65534 --regid=65534 --clear-groups"
chmod 755 "$work" && chmod -R a+rX t
if [ -z "$as_user" ] || $as_user "$subdef" --version >/dev/null 2>&1; then
  $as_user "$subdef" reformat KRvK --tables t -o locked >out 2>err
  status=$?
  told "folder without the right to write: reformat" 1 "locked/made.list: cannot be written: Permission denied"
  $as_user "$subdef" dump KRvK locked/x.bin --tables t >out 2>err
  status=$?
  told "folder without the right to write: dump" 1 "locked/x.bin: cannot be written: Permission denied"
  $mpi $as_user "$gen" KRvK -q -o locked >out 2>err
  status=$?
  told "folder without the right to write: gen" 1 "locked/KRvK.dtm.sdt: .*Permission denied"
else
  ok "folder without the right to write # SKIP no other user can run the programs"
fi

# --------------------------------------------------- killed in the middle
try=0 killed=no
while [ $try -lt 40 ] && [ $killed = no ]; do
  try=$((try + 1))
  rm -rf k
  "$subdef" reformat KPvK --metric dtm --coding signed --codec repair --tables t -o k >out 2>/dev/null &
  pid=$!
  until ls k/*.tmp >/dev/null 2>&1 || ! kill -0 $pid 2>/dev/null; do :; done
  kill -9 $pid 2>/dev/null && ls k/*.tmp >/dev/null 2>&1 && [ ! -e k/KPvK.dtm.sdt ] && killed=yes
  wait $pid 2>/dev/null
done
check "killed while it wrote" [ $killed = yes ]
absent "killed: no file under the final name" k/KPvK.dtm.sdt
good "killed: the next run works" reformat KPvK --metric dtm --coding signed --codec repair --tables t -o k
check "killed: the next run sweeps up" [ -z "$(ls k/*.tmp 2>/dev/null)" ]
cp t/KQvK* t/KRvK* t/KBvK* t/KNvK* k
good "killed: and its table is right" verify k/KPvK.dtm.sdt

# --------------------------------------------------- one side, losses only
good "both sides" reformat KPvK --metric wdl --tables t -o long
good "one side" reformat KQvK KRvK KBvK KNvK KPvK --metric wdl --sides one --tables t -o one
prints "one side: only one stream" "^KPvK  *wdl  *[0-9,]* bytes  [wb]: [0-9,]* obdd [^:]*(.*)$"
good "one side: verify" verify one/KPvK.wdl.sdt --tables one
good "one side: info" info one/KPvK.wdl.sdt
prints "one side: info says what restores the other" "restored"
good "the side that is not stored is probed" probe --tables one '8/8/8/8/2k5/8/1P6/K7 b - - 0 1' '8/8/8/8/2k5/8/1P6/K7 w - - 0 1'
check "one side: smaller" [ "$(wc -c <one/KPvK.wdl.sdt)" -lt "$(wc -c <long/KPvK.wdl.sdt)" ]
good "bench probe of one side" bench probe KPvK --tables one -n 3000
prints "bench probe of one side: stored and restored" "restored by a ply"
good "losses only" reformat KQvK KPvK --metric dtm --freedom all+won --tables t -o lost -q
good "losses only: the results" reformat KQvK KRvK KBvK KNvK KPvK --metric wdl --tables t -o lost -q
for e in KRvK KBvK KNvK; do good "losses only: $e" reformat $e --metric dtm --freedom all+won --tables t -o lost -q; done
good "losses only: info" info lost/KPvK.dtm.sdt
prints "losses only: info" "won"
good "losses only: verify" verify lost/KPvK.dtm.sdt --tables lost
bad "losses only of results" 2 '"won" means nothing for metric wdl' reformat KQvK --metric wdl --freedom won --tables t -o lost -f
bad "freedom without effect" 2 '"draw" means nothing for metric wdl, coding wdl; possible are none, all and sets of illegal' \
  reformat KQvK --metric wdl --freedom draw --tables t -o lost -f
bad "losses only of one side" 2 "both sides" reformat KQvK --metric dtm --freedom all+won --sides one --tables t -o lost -f
bad "unknown sides" 2 "--sides left: expected white" reformat KQvK --sides left --tables t -o lost -f

for e in KQvK KRvK KBvK KNvK KPvK; do
  good "queens only: $e" reformat $e --metric wdl --freedom all+queen --tables t -o queens -q
  good "queens only, losses only: $e" reformat $e --metric dtm --freedom all+won+queen --tables t -o queens -q
done
good "queens only: info" info queens/KPvK.wdl.sdt
prints "queens only: info" "queen"
for m in wdl dtm; do good "queens only: verify $m" verify queens/KPvK.$m.sdt --tables queens; done
bad "queens alone" 2 "needs capture or promotion" reformat KPvK --metric wdl --freedom illegal+queen --tables t -o queens -f

# ------------------------------------------- one stream for both sides, clusters
good "joint" reformat KPvK --metric wdl --codec obdd --sides joint --tables t -o joint
prints "joint: one stream" "^KPvK  *wdl  *[0-9,]* bytes  both: [0-9,]* obdd [^:]*(.*)$"
good "joint: info" info joint/KPvK.wdl.sdt
prints "joint: info says where Black's slots are" "slots in White's stream$"
prints "joint: info counts nodes" ", [0-9,]* nodes$"
good "joint: JSON" info --json joint/KPvK.wdl.sdt
prints "joint: JSON" '"joint": true'
prints "joint: JSON counts nodes" '"nodes": [0-9]'
good "joint: layouts" list --tables joint --metric wdl --layouts
prints "joint: layouts" "^KPvK,KPk,rows,=,=,[0-9]*,[a-z+]*$"
cp out joint.csv
good "joint: from layouts" reformat KPvK --metric wdl --codec obdd --layouts joint.csv --tables t -o joint2
check "joint: from layouts the same file" cmp -s joint/KPvK.wdl.sdt joint2/KPvK.wdl.sdt
good "joint layouts, one side" reformat KPvK --metric wdl --codec obdd --layouts joint.csv --sides black --tables t -o joint2 -f
good "joint: verify" verify joint/KPvK.wdl.sdt --tables joint:long:t
good "joint: bench decode" bench decode KPvK --tables joint
good "joint: bench encode" bench encode KPvK --tables joint:t
prints "joint: bench encode makes the same stream" "encoded by obdd into $(echo $(($(wc -c <joint/KPvK.wdl.sdt) - 28)) | sed 's/\([0-9]\{3\}\)$/,\1/') bytes"
good "bench encode: by several threads" bench encode KPvK --threads 3 --turns 1 --tables joint:t
for n in 1 2 3; do
  prints "bench encode: by $n of 3" "   $n threads"
done
bad "bench decode: --turns" 2 "turns is for encode" bench decode KPvK --turns 2 --tables joint
good "joint: distances in clusters" reformat KQvK --metric dtm --codec obdd --set clusters=8,choices=64,pairs=64 --sides joint --tables t -o joint -q
good "joint, --best: the sides share a stream" reformat KPvK --metric wdl --codec obdd --set sums=no,choices=64 --best --tables t -o best-joint
prints "joint, --best: the sides share a stream" " both: [0-9,]* obdd "

# -------------------------------------------------------- sweep, report, bench
cat >s.conf <<'EOF'
title = "three men";
groups = ( { name = "a"; tables = [ "KRvK", "KPvK" ]; metric = [ "wdl" ]; codec = ( { name = "repair"; block = [ 64, 128 ]; },
  { name = "lzma"; block = 1024; } ); } );
EOF
good "sweep --dry-run" sweep s.conf --dry-run --tables t
prints "sweep --dry-run: the cells" KRvK
swept "sweep" "^[0-9]* cells: [0-9]* computed, 0 there before, 0 failed, [0-9]* s$" s.conf -o s.db --tables t
good "sweep --override" sweep s.conf --dry-run --tables t --override tables=KRvK --override codec=store
prints "sweep --override: fewer cells, time, memory, disk" "^# 2 cells, 0 of them done, about .* of memory, .* of disk"
bad "sweep --override: no value" 2 "expected KEY=VALUE" sweep s.conf -o o.db --override tables
swept "sweep --part" "0 failed" s.conf -o p1.db --tables t --part 1/2
export SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_COUNT=2 SLURM_ARRAY_TASK_MIN=5 SLURM_ARRAY_TASK_STEP=2
swept "sweep: a task of a job array" "0 failed" s.conf -o p2.db --tables t
export SLURM_ARRAY_TASK_ID=9
bad "sweep: no task of the job array" 2 "use --part" sweep s.conf -o p3.db --tables t
export SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_COUNT=1 SLURM_ARRAY_TASK_MIN=3
"$subdef" sweep s.conf --dry-run --tables t >out 2>err </dev/null
check "sweep: one task of an array, submitted again" grep -q "note: .*needs --part" err
unset SLURM_ARRAY_TASK_ID SLURM_ARRAY_TASK_COUNT SLURM_ARRAY_TASK_MIN SLURM_ARRAY_TASK_STEP
printf 'groups = ( { name = "a"; tables = "KQvKQ"; sides = "black"; codec = "store"; } );\n' >none.conf
bad "sweep: a group without cells" 2 'group "a" has no cell' sweep none.conf -o none.db --tables t
good "sweep --override: the key's other name" sweep s.conf --dry-run --tables t --override side=w --override sides=joint
good "sweep --status" sweep s.conf -o p1.db --tables t --status
prints "sweep --status" "^all  *12  *6  *0  *6 "
good "sweep --status --json" sweep s.conf -o p1.db --tables t --status --json
prints "sweep --status --json" '"all": {"name": "all", "cells": 12, "done": 6, "failed": 0, "to_do": 6, '
bad "sweep --json: of what" 2 "goes with --status" sweep s.conf -o p1.db --tables t --json
good "sweep --presets" sweep --presets
prints "sweep --presets: title and file" "^staircase  *The staircase"
good "sweep: a preset" sweep staircase --dry-run --tables t --override tables=KRvK
prints "sweep: a preset" "^14-losses.KRvK.dtm"
good "sweep: a file of the program's data" sweep papers/staircase/staircase.conf --dry-run --tables t --override tables=KRvK
prints "sweep: a file of the program's data" "^14-losses.KRvK.dtm"
bad "sweep: no such file of its data" 1 "papers/stair.conf: cannot be read" sweep papers/stair.conf --dry-run --tables t
good "sweep --merge" sweep --merge p1.db p2.db -o p.db
prints "sweep --merge: rows" " rows added, 0 were there"
good "sweep --merge: the same as one run" report --compare s.db p.db -o rp
prints "sweep --merge: all cells" "cells of both, 0 differ in bytes; 0 in s.db only, 0 in p.db only"
bad "sweep --part: no such part" 2 "I/N, such as 1/4" sweep s.conf -o p3.db --part 3/2
printf 'groups = ( { name = "a"; tables = "KRvK"; codec = "store"; }, { name = "b"; tables = "KRvK"; codec = "store"; } );\n' >twins.conf
swept "sweep: equal cells" "^4 cells: 2 computed, 0 there before, 2 copied from equal cells, 0 failed, " twins.conf -o twins.db --tables t
swept "sweep again: equal cells" "^4 cells: 0 computed, 4 there before, 0 failed, " twins.conf -o twins.db --tables t
swept "sweep again" "^[0-9]* cells: 0 computed, [0-9]* there before, 0 failed, " s.conf -o s.db --tables t
good "report" report s.db -o r
prints "report: where it lies" "^r/index.html$"
check "report: page, Markdown" [ -s r/index.html -a -s r/report.md ]
check "report: one side beside both" awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "one_side_bytes") ok = 1 } END { exit !ok }' r/sizes.csv
sed 's/"wdl"/"dtm"/; s/codec =/freedom = [ "all", "all+won" ]; codec =/' s.conf >won.conf
swept "sweep: losses only" " 0 failed, " won.conf -o won.db --tables t
printf '"step",before,after,measure,published,"source"\r\nsmaller blocks,a/repair/block=128,a/repair/block=64,bytes,none,"a ""paper"""\r\n\r\n' >crlf.csv
good "report --published: lines that end as on Windows" report s.db -o published --published crlf.csv
check "report --published: their last field" grep -q '^KRvK,wdl,smaller blocks,bytes,.*,none,"a ""paper"""$' published/published.csv
good "report --baseline" report s.db -o rb --baseline a/lzma
prints "report --baseline: where it lies" "^rb/index.html$"
check "report --baseline: its column" grep -q "x a/lzma" rb/report.md
bad "report: a baseline that no row has" 2 "no row of this group" report s.db -o rb --baseline b/lzma
good "report --compare with itself" report --compare s.db s.db -o rc
prints "report --compare: nothing differs" "^[0-9]* cells of both, 0 differ in bytes; 0 in s.db only, 0 in s.db only$"
check "report --compare: page, Markdown, numbers" [ -s rc/compare.html -a -s rc/compare.md -a -s rc/compare.csv ]
bad "report --compare: one database" 2 "needs two databases" report --compare s.db
bad "report --compare: no baseline" 2 "do not go with it" report --compare s.db s.db --baseline a/lzma
bad "report: two databases" 2 "takes two" report s.db s.db
"$subdef" report --compare s.db won.db --by metric,freedom,group -o rby >out 2>err
check "report --by: pairs differ in these keys" grep -q "^[1-9][0-9]* cells of both" out
bad "report --by: no such key" 2 '"size" is neither' report --compare s.db won.db --by size
bad "report --by alone" 2 "goes with --compare" report s.db --by codec
good "report --summary" report s.db --summary
prints "report --summary: a line per table" "KRvK"
good "reformat by a sweep's best" reformat KRvK --metric wdl --best-of s.db --max-latency 0 --tables t -o best
good "search with a codec that is named" reformat KRvK --best --codec rle --tables t -o best -f
prints "search: the codec that was named" "^KRvK .* rle "
good "preset fast" reformat KRvK --metric wdl --preset fast --tables t -o fast
prints "preset fast: sides that were searched" "searched: Black to move"
prints "preset fast: and one stream for both" "one stream for both sides: "
prints "preset fast: what was too slow" "trees  *not chosen: too slow: a lookup takes [0-9.]* us at the least, the bound is 0.5 us"
bad "preset: unknown" 2 "expected small or fast" reformat KRvK --preset tiny
good "with successors" reformat KPvK --metric wdl --with-successors --tables t -o succ
prints "with successors: all of them" "^5 of 5 tables made, 0 were there"
check "with successors: a promotion's table" [ -s succ/KQvK.wdl.sdt ]
good "with successors again" reformat KPvK --metric wdl --with-successors --tables t -o succ
prints "with successors again: nothing is made" "^0 of 5 tables made, 5 were there"
rm succ/KQvK.wdl.sdt
good "with successors: one is missing" reformat KPvK --metric wdl --with-successors --tables t -o succ
prints "with successors: one is made" "^1 of 5 tables made, 4 were there"
SUBDEF_DATA=${SD_SRCDIR:-$build/..}
export SUBDEF_DATA
good "layouts papers" reformat KPvK KRvK --metric wdl --layouts papers --tables t -o pinned
for e in KPvK KRvK; do
  check "layouts papers: $e as pinned" [ "$(wc -c <pinned/$e.wdl.sdt)" -le "$(awk -F, -v e=$e '$1 == e { print $6 }' "$SUBDEF_DATA/papers/best-wdl-3-4.csv")" ]
done
printf 'material,order_w,numbering_w,order_b,numbering_b,freedom\nKRvK,KRk,rows,kRK,z,all+check-black\n' >checks.csv
good "layouts: checks are free" reformat KRvK --metric wdl --layouts checks.csv --tables t -o pinned1
good "layouts: of one side none are" reformat KRvK --metric wdl --layouts checks.csv --sides one --tables t -o pinned1 -f
good "layouts: nor of a side that is named" reformat KRvK --metric wdl --layouts checks.csv --sides white --tables t -o pinned1 -f
printf 'material,order_w,numbering_w,order_b,numbering_b,codec,settings\nKPvK,KPk,rows,KPk,folded,repair|obdd,block=1024|polish=2\n' >two.csv
good "layouts: a codec a side" reformat KPvK --metric wdl --layouts two.csv --tables t -o pinned1 -f
prints "layouts: a codec a side" "w: [0-9,]* repair KPk rows b: [0-9,]* obdd KPk folded"
printf 'material,order_w,numbering_w,order_b,numbering_b,codec,settings\nKPvK,KPk,rows,KPk,folded,repair|obdd,"|polish=2,block=9"\n' >two.csv
bad "layouts: a setting of the other side" 2 'two.csv:2: codec obdd: "block=9"' reformat KPvK --metric wdl --layouts two.csv --tables t -o pinned1 -f
printf 'material,order_w,numbering_w,order_b,numbering_b,codec,settings\nKPvK,KPk,rows,=,=,repair|obdd,\n' >two.csv
bad "layouts: a codec a side, one stream" 1 'two.csv:2: one stream for both sides has one codec' reformat KPvK --metric wdl --layouts two.csv --tables t -o pinned1 -f
good "list --layouts" list --layouts --metric wdl --tables pinned
prints "list --layouts: what is free" "^KPvK,.*,[0-9]*,illegal+capture+promotion$"
good "layouts papers, a codec that is named" reformat KRvK --metric wdl --codec rle --layouts papers --tables t -o pinned -f
prints "layouts papers, a codec that is named" "KRvK .* rle "
SUBDEF_DATA=empty
bad "layouts papers: elsewhere" 1 "SUBDEF_DATA=empty: papers/best-wdl-3-4.csv is not there" reformat KRvK --layouts papers --tables t -o pinned -f
SUBDEF_DATA=${SD_SRCDIR:-$build/..}
good "plain reformat" reformat KPvK --metric wdl --tables t -o plain
prints "plain reformat: what is known to be smaller" "smallest known takes 962 bytes .* and several times the CPU time: .*--layouts papers -f'$"
unset SUBDEF_DATA
printf 'bytes,order_b,numbering_b,material,numbering_w,order_w,settings,codec\n1,kRK,z,KRvK,rows,KRk,"block=16,word=2",huffman\n' >named.csv
good "layouts: columns by their names" reformat KRvK --metric wdl --layouts named.csv --tables t -o named
prints "layouts: columns by their names" "w: 2 huffman KRk rows b: [0-9,]* huffman kRK z"
cut -d, -f1-6 named.csv >plain.csv
good "layouts: settings that are named" reformat KRvK --metric wdl --codec huffman --set block=16,word=2 --layouts plain.csv --tables t -o named2
check "layouts: the same by the file's settings" cmp named/KRvK.wdl.sdt named2/KRvK.wdl.sdt
printf 'material,order_w\nKRvK,KRk\n' >few.csv
bad "layouts: a column is missing" 1 'few.csv:1: the line names no column "numbering_w"' reformat KRvK --layouts few.csv --tables t -o named -f
printf 'material,order_w,numbering_w,order_b,numbering_b\nKRvK,KRk\n' >short.csv
bad "layouts: a short line" 1 "short.csv:2: 2 columns, expected at least" reformat KRvK --layouts short.csv --tables t -o named -f
bad "reformat by a sweep that lacks the ending" 1 "s.db: .*KQvK" reformat KQvK --metric wdl --best-of s.db --tables t -o best
bad "reformat by a sweep that is gone" 1 "gone.db" reformat KQvK --metric wdl --best-of gone.db --tables t -o best
absent "reading makes no database" gone.db
typo () {
  sed "$3" s.conf >typo.conf
  bad "sweep: $1" "$2" "$4" sweep typo.conf -o typo.db --tables t
  absent "sweep: $1: no database" typo.db
}
typo "losses only cannot be probed" 2 's/codec =/metric = "dtm"; freedom = "all+won"; probe = true; codec =/; s/metric = . "wdl" .;//' 'typo.conf:[0-9]*: probe: freedom .*won.* is restored from the other side'
typo "queens that nothing looks up" 2 's/codec =/freedom = "illegal+queen"; codec =/' 'typo.conf:[0-9]*: freedom .*needs capture'
typo "typo in a key" 2 's/metric/metrik/' 'typo.conf:[0-9]*: .*metrik'
typo "typo in a setting" 2 's/block = \[/blok = [/' 'typo.conf:[0-9]*: .*blok'
typo "typo in a value" 2 's/"wdl"/"wld"/' 'typo.conf:[0-9]*: .*wld'
typo "unknown codec" 2 's/"lzma"/"lzmaa"/' 'typo.conf:[0-9]*: .*lzmaa'
typo "unknown ending" 2 's/KPvK/KPvX/' 'typo.conf:[0-9]*: .*KPvX'
typo "value out of range" 2 's/64, 128/64, 3/' 'typo.conf:[0-9]*: .*3'
typo "syntax" 2 's/);$/;/' 'typo.conf:[0-9]*: '
bad "sweep: no file" 1 "gone.conf" sweep gone.conf -o typo.db --tables t
bad "sweep: missing table" 1 "missing in empty: KRvK.dtm.sdt" sweep s.conf -o typo.db --tables empty
bad "sweep --only: nothing of that name" 2 'no group or table contains "nothing": there are the groups' sweep s.conf --only=nothing -o typo.db --tables t
bad "sweep --only, --dry-run: nothing of that name" 2 "no group or table contains" sweep s.conf --only=nothing --dry-run
bad "sweep: no name" 2 "expected the name of a database" sweep s.conf -o "" --tables t
swept "sweep: a name that SQLite reads in its own way" " 0 failed, " s.conf -o :memory: --tables t
check "sweep: is a name of a file" [ -s ./:memory: ]
limited 8 sweep s.conf -o full/s.db --tables t
told "disk full: sweep" 1 "full/s.db"
swept "sweep: the folder of the database is made" "cells" s.conf -o nodir/s.db --tables t
bad "sweep: database in a folder that cannot be" 1 "text/none" sweep s.conf -o text/none/s.db --tables t
bad "sweep: database is a text" 1 "text: " sweep s.conf -o text --tables t
good "bench probe" bench probe KRvK --tables w -n 2000
prints "bench probe: legal positions of both sides, as exact tables have them" " 50,015 positions,"
prints "bench probe: heads and units" "^  probes  *positions  *median ns  *90 % ns  *99 % ns  *mean ns$"
prints "bench probe: latency" "^  all  *2000  *[0-9]* "
good "bench probe with threads" bench probe KRvK --tables w -n 2000 --threads 3
prints "bench probe with threads: rates" "3 threads  *[0-9]* probes/s"
bad "bench probe: sub-endings in long blocks" 1 "bench: KPvK: a probe takes .* is in blocks of [0-9]* slots" \
  bench probe KPvK --metric dtm --tables t -n 1000000
mkdir slow && cp t/K[QRBNP]vK.dtm.sdt slow && good "results but those of KQvK" reformat KRvK KBvK KNvK KPvK --codec repair --tables slow -o slow
bad "bench probe: the table that is asked is named" 1 "a probe takes .* as KQvK.dtm.sdt is in blocks" bench probe KPvK --tables slow -n 8000000
good "bench: all settings" bench encode --set help
prints "bench: all settings: of RE-PAIR" "^repair: "
good "bench decode --json" bench decode KRvK --tables w --json
json "bench decode --json is JSON" all
bad "bench: no such table" 1 "KRvK.wdl.sdt: not found" bench probe KRvK --tables empty
good "bench gen" bench gen KQvK KRvK --solver all
prints "bench gen: heads and units" " init s iterate s  *CPU s  *states/s  *marks/s B/state$"
prints "bench gen: a line for each ending and solver" "^KRvK *sequential *59136 *32 "
prints "bench gen: a line for all of them" "^all *forward *118272 *32 "
good "bench gen --json" bench gen KQvK --json
json "bench gen --json is JSON" all
good "bench gen --tables" bench gen KPvK --tables t
prints "bench gen --tables: a line for the ending" "^KPvK *parallel "
bad "bench gen --tables: no sub-endings" 1 "dtm.sdt: not found in empty" bench gen KPvK --tables empty
bad "bench gen: solver" 2 "expected all, or names" bench gen KQvK --solver parallel,none
bad "bench gen: nothing to solve" 2 "expected endings" bench gen
bad "bench gen: no such ending" 2 "KXvK" bench gen KXvK
# KRvK: 21959 states are won and 25260 lost
good "simulate" simulate KRvK --tables t --ranks 1,3,70
prints "simulate: a row for each variant" "^ *70 mixed.balanced "
good "simulate --csv" simulate KRvK --tables t --ranks 1 --csv --task-us 2 --variants plain
prints "simulate: one rank takes the sum of all tasks" "^1,1,1,plain,,47219,0.094438,1,1.000000,"
good "simulate: each iteration" simulate KRvK --tables t --ranks 5 --iterations --variants balanced --interval 1e-6 --give-us 1 --receive-us 1 --latency-us 1
prints "simulate: the last iteration" "^ *5 balanced *32 "
good "simulate --json" simulate KRvK --tables t --ranks 64 --scale 100 --json
json "simulate --json is JSON" all
bad "simulate: no such table" 1 "KQRvK.dtm.sdt: not found" simulate KQRvKQ --tables t
# ---------------------------------------------------------------------- limits
good "limits of an ending" limits KPvK KQvK --tables t --quick --words 1,2
prints "limits: head" "^KPvK, WDL, White to move, order KPk, numbering rows: [0-9,]* slots, [0-9,]* not free"
prints "limits: the second ending" "^KQvK, DTM, Black to move"
prints "limits: a bound" "^entropy *words of 2 slots *[0-9]* *[0-9]* *[0-9]* "
good "limits as CSV" limits KQvK -m dtm --side b --tables t --csv --codecs huffman --words 1,16
prints "limits as CSV: columns" "^ending,metric,side,order,numbering,slots,not_free,kind,of,bytes,at_least,model,cpu_seconds,why$"
prints "limits as CSV: a codec is no bound" '^KQvK,dtm,b,KQk,rows,40960,[0-9]*,codec,"huffman",[0-9]*,,0,'
prints "limits as CSV: no figure, but the reason" '"words of 16 slots",,,,[0-9.]*,"words of 16 slots over'
bad "limits: numbering without order" 2 "numbering needs --order" limits KQvK --numbering rows
bad "limits: two orders" 2 "both say what the order is" limits KQvK --order KQk --layouts papers
bad "limits: one order for many" 2 "is that of one ending" limits all-3 --order KQk
bad "limits: nothing" 2 "expected an ending or an array" limits
bad "limits: so many men" 2 "all-3 to all-" limits all-9 --tables t
bad "limits: no such codec" 2 "^subdef limits: no codec 'none-such'" limits KQvK --tables t --codecs huffman,none-such
bad "limits: words" 2 "expected at most" limits KQvK --tables t --words 17
bad "limits: no table" 1 "KQvK.dtm.sdt: not found" limits KQvK --tables empty
bad "bench: count" 2 "expected a number from" bench probe KRvK --count 0

echo "1..$number"
[ $failures -eq 0 ]
