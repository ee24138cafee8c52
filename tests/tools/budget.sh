#!/bin/sh
# subdef reformat --best --budget: the budget is kept, a file is made however small it is, what was tried and left out is told, an
# interruption ends the search and not the program, and what is no time is refused.
build=$(cd "${SD_BUILDDIR:-.}" && pwd) src=$(cd "${SD_SRCDIR:-.}" && pwd)
subdef=$build/tools/subdef gen=$build/tools/subdef-gen
. "$src/tests/syzygy/checks.sh"
export OMP_NUM_THREADS=1
env ASAN_OPTIONS=detect_leaks=0 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "$gen" --men 3 -q -o exact >log 2>&1 || exit 99

# run STATUS ARGUMENTS...: of reformat, its exit status; log has what it printed, err its messages
run () {
  expected=$1
  shift
  "$subdef" reformat "$@" --tables exact >log 2>err
  [ $? -eq "$expected" ] || { cat err; return 1; }
}
says () { grep -q -e "$1" err; }
bytes () { wc -c <"$1" | tr -d ' '; }
# number NAME: of the first member of that name in the record
number () { grep -o "\"$1\":[0-9.]*" log | head -1 | cut -d: -f2; }
at_most () { awk "BEGIN { exit !($1 <= $2) }"; }

# ---------------------------------------------------------------------- refused
for time in 1d 0 -1s ten '' 5minutes nan inf 1e999; do
  check "--budget '$time' is refused" run 2 KQvK --best --budget "$time" -o out
  check "--budget '$time': in one sentence" says "^subdef reformat: --budget .*: expected a number above 0, of seconds or with s, min or h$"
done
check "without --best" run 2 KQvK --budget 5s -o out
check "without --best: said" says '^subdef reformat: --budget bounds the search of --best or --preset, and neither is given'
check "of arrays" run 2 x.sda --best --budget 5s -o out
check "of arrays: said" says 'arrays take only'
check "nothing was made" [ ! -e out ]

# ------------------------------------------------------------------- no time at all
# a search leaves lesser promotions free, too
check "as it is by default" run 0 KPvK -m wdl --freedom all+evident -o default
check "no time" run 0 KPvK -m wdl --best --budget 0.001 --json -o none
check "no time: the file is the default's" cmp default/KPvK.wdl.sdt none/KPvK.wdl.sdt
check "no time: each stream was coded once" [ "$(sed 's/"left_out":.*//' log | grep -o '"coded":"whole"' | wc -l)" -eq 2 ]
check "no time: what was left out stands there" has '"left_out":\[{"to_move"'
check "no time: plies" run 0 KQvK -m dtm --best --budget 0.001 -o none
check "no time: plies by default" run 0 KQvK -m dtm -o default
check "no time: plies, the same file" cmp default/KQvK.dtm.sdt none/KQvK.dtm.sdt

# ------------------------------------------------------------------------- some
check "8 s" run 0 KPvK -m dtm --best --max-latency 0 --budget 8s --json -o some
check "8 s: no more are used" at_most "$(number used_cpu_seconds)" 10
check "8 s: it is told" at_most "$(grep -o '"budget":{"cpu_seconds":[0-9.]*' log | cut -d: -f3)" 8.001
check "8 s: predictions are told" has '"predicted_bytes":[1-9]'
check "by default" run 0 KPvK -m dtm -o default
check "8 s: smaller" at_most "$(bytes some/KPvK.dtm.sdt)" "$(bytes default/KPvK.dtm.sdt) - 1"
cp none/KPvK.wdl.sdt some # by which the distances are restored
check "8 s: the file is right" "$subdef" verify some/KPvK.dtm.sdt --against exact
check "the same command again" run 0 KPvK -m dtm --best --max-latency 0 --budget 8s -o some
check "the same command again: kept" has 'made before'
check "another budget" run 1 KPvK -m dtm --best --max-latency 0 --budget 3s -o some

# ------------------------------------------------- diagrams with layouts by slices
env ASAN_OPTIONS=detect_leaks=0 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "$gen" KRvKN -q -o exact >log 2>&1 || exit 99
check "slices" run 0 KRvKN -m wdl --best --max-latency 0 --budget 10s --json -o slices
check "slices: some were coded" has '"coded":"slices"'
check "slices: the best of them was coded whole, too" [ "$(sed 's/"left_out":.*//' log | grep -o '"coded":"whole"' | wc -l)" -gt 3 ]
check "slices: forests of one stream for both" has '"to_move":"both","codec":"forest","settings":"[^"]*rounds=1[^"]*",[^}]*"coded":"sample"'
check "slices: quick codecs, too" has '"codec":"repair",[^}]*"coded":"sample"'
check "slices: by default" run 0 KRvKN -m wdl -o default
check "slices: smaller" at_most "$(bytes slices/KRvKN.wdl.sdt)" "$(bytes default/KRvKN.wdl.sdt) - 1"
check "slices: the file is right" "$subdef" verify slices/KRvKN.wdl.sdt --against exact

# the end of the list is reached long before the end of the budget
check "2 h" run 0 KQvK -m wdl --best --max-latency 0 --budget 2h -o much
check "2 h: nothing is left" has '^  nothing more promised to be smaller$'
check "2 h: no more than the full search" run 0 KQvK -m wdl --best --max-latency 0 -o full
check "2 h: about as small" at_most "$(bytes much/KQvK.wdl.sdt)" "1.3 * $(bytes full/KQvK.wdl.sdt)"

# ------------------------------------------------------------- with other options
check "a bound" run 0 KPvK -m dtm --best --max-latency 1us --budget 1s -o bound
check "a bound: no forest" sh -c '! grep -q "bytes.*: trees\|forest .* bytes; " log'
check "no codec keeps it" run 1 KPvK -m dtm --best --max-latency 1ns --budget 1s -o bound -f
check "no codec keeps it: said" says 'no codec can be chosen: a lookup takes'
check "a codec" run 0 KPvK -m wdl --best --codec repair --budget 1s -o repair
check "a codec: no other one" sh -c '! grep -q obdd log'
check "a slow codec" run 0 KPvK -m dtm --best --codec trees --max-latency 0 --budget 4s --json -o trees
check "a slow codec: other orders, squares in rows" has '"settings":"rounds=1","order":"[^"]*","numbering":"rows"'
for sides in one white joint; do
  check "--sides $sides" run 0 KPvK -m wdl --best --budget 1s --sides $sides -o "$sides"
  check "--sides $sides: the file is right" "$subdef" verify "$sides/KPvK.wdl.sdt" --against exact
done
check "--sides joint: one stream" sh -c '! grep -q "searched: White" log'
check "--freedom all" run 0 KPvK -m wdl --best --budget 1s --freedom all -o all
check "--freedom all: as it was asked for" sh -c '"$1" info all/KPvK.wdl.sdt | grep -q check && exit 1 || exit 0' sh "$subdef"
check "--preset" run 0 KQvK -m wdl --preset fast --budget 1s -o preset

# ------------------------------------------------------------------ interrupted
# A shell lets what runs in the background ignore SIGINT, and timeout would hand that on.
if env --default-signal=INT true 2>/dev/null; then
  interrupted () { env --default-signal=INT timeout --preserve-status -s INT "$1" "$subdef" reformat KPvK -m dtm --best --max-latency 0 \
    --budget 1h --tables exact -o stopped -f --json >log 2>err; }
  # on a busy machine the search has not begun when the first signals come, and they end the program
  for seconds in 2 4 8 16; do
    interrupted $seconds && break
  done
  check "SIGINT: the program ends by itself" [ -s stopped/KPvK.dtm.sdt ]
  check "SIGINT: it is told" has '"stopped":true'
  check "SIGINT: what was found is written" at_most "$(bytes stopped/KPvK.dtm.sdt)" "$(bytes default/KPvK.dtm.sdt)"
  cp none/KPvK.wdl.sdt stopped
  check "SIGINT: the file is right" "$subdef" verify stopped/KPvK.dtm.sdt --against exact
fi
checks_end
