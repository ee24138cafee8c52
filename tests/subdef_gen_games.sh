#!/bin/sh
# subdef-gen --game as a user types it: the same lines for every number of ranks, and how it fails.
gen=${SD_BUILDDIR:-.}/tools/subdef-gen
race=${SD_SRCDIR:-.}/tests/data/race.txt
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_hwloc_base_binding_policy=none
ASAN_OPTIONS=detect_leaks=0 # MPI's own
export ASAN_OPTIONS OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe
export OMPI_MCA_mpi_yield_when_idle OMPI_MCA_btl_vader_single_copy_mechanism OMPI_MCA_hwloc_base_binding_policy
failures=0

# expect TITLE STATUS ARGUMENTS...: standard output and error stay in $work/out and $work/err
expect () {
  title=$1 want=$2
  shift 2
  "$@" >"$work/out" 2>"$work/err"
  got=$?
  [ $got -eq "$want" ] || fail "$title: exit $got, expected $want"
}
fail () {
  echo "FAIL: $1"
  sed 's/^/  | /' "$work/err" | head -5
  failures=$((failures + 1))
}
says () {
  grep -q "$2" "$work/$3" || fail "$1: $3 does not say: $2"
}

expect "the graph of the documentation" 0 "$gen" --game graph "$race"
cp "$work/out" "$work/graph"
cat >"$work/want" <<END
start           drawn
left            drawn
hold            drawn
trap            won in 1
right           drawn
mate            lost in 0
stuck           drawn
press           won in 5
forced          lost in 8
END
cmp -s "$work/want" "$work/graph" || fail "the graph has other values: $(diff "$work/want" "$work/graph" | tr '\n' ' ')"
expect "draughts" 0 "$gen" --game=draughts --men 3 -q --json
sed 's/,"seconds.*//' "$work/out" >"$work/alone"
[ "$(wc -l <"$work/alone")" -eq 18 ] || fail "$(wc -l <"$work/alone") slices with up to 3 pieces, expected 18"
says "kings" '"slice":"KvK","first":{"positions":992,"won":230,"drawn":654,"lost":108,"longest_win_plies":11' alone
for solver in sequential forward backward; do
  expect "draughts, $solver" 0 "$gen" --game draughts --men 3 -q --json --solver $solver
  sed 's/,"seconds.*//' "$work/out" | cmp -s - "$work/alone" || fail "draughts by $solver: other results"
  expect "graph, $solver" 0 "$gen" --game graph "$race" --solver $solver
  cmp -s "$work/out" "$work/graph" || fail "the graph by $solver: other values"
done
expect "draughts in words" 0 "$gen" --game draughts --men 2 -q
says "kings in words" '^KvK  *first 230/654/108  *second 230/654/108  *11 plies' out
expect "estimate" 0 "$gen" --game draughts --men 5 --estimate
says "estimate" 'slices, .* states, .* MiB' out
if command -v mpirun >/dev/null && grep -q 'define HAVE_MPI 1' "${SD_BUILDDIR:-.}/config.h"; then
  for n in 2 3; do
    expect "draughts, $n ranks" 0 mpirun -np $n "$gen" --game draughts --men 3 -q --json
    sed 's/,"seconds.*//' "$work/out" | cmp -s - "$work/alone" || fail "$n ranks give other results"
    expect "graph, $n ranks" 0 mpirun -np $n "$gen" --game graph "$race"
    cmp -s "$work/out" "$work/graph" || fail "$n ranks give other values of the graph"
  done
  expect "three ranks, no such file" 1 mpirun -np 3 "$gen" --game graph "$work/none"
  [ "$(grep -c '^subdef-gen:' "$work/err")" -eq 1 ] || fail "three ranks fail with $(grep -c '^subdef-gen:' "$work/err") messages"
fi
printf 'a: b\n' >"$work/bad"
expect "a move that leads nowhere" 1 "$gen" --game graph "$work/bad"
says "a move that leads nowhere" 'bad: line 1: there is no line for this state: b' err
expect "unknown game" 2 "$gen" --game go
says "unknown game" 'go: expected draughts or graph' err
expect "unknown solver" 2 "$gen" --game draughts --solver nix
says "unknown solver" "one of parallel, sequential" err
expect "no file" 2 "$gen" --game graph
expect "no name" 2 "$gen" --game
expect "too many pieces" 2 "$gen" --game draughts --men 25
expect "a file for draughts" 2 "$gen" --game draughts KvK
expect "help" 0 "$gen" --game draughts --help
says "help" 'draughts' out
exit $((failures > 0))
