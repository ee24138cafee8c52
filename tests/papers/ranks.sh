#!/bin/sh
# The simulation of many ranks beside real ranks: states, marks, messages and bytes of every iteration are the same, under each way to deal
# states out, with pawns (which are solved part by part) and rights to capture en passant. And what is measured can be simulated with.
top=${SD_SRCDIR:-.} build=${SD_BUILDDIR:-build}
command -v mpirun >/dev/null || { echo "no mpirun"; exit 77; }
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
. "$top/tests/gen/ranks.sh"
PATH=$build/tools:$PATH
subdef gen KPvKP -q -o "$work/tables" >"$work/out" 2>"$work/err" || { cat "$work/err"; exit 99; }

# compare MIXING RANKS ENDING...
compare () {
  mixing=$1 ranks=$2
  shift 2
  expect "$* on $ranks ranks, mixing $mixing" 0 sh "$top/papers/retrograde/ranks.sh" -p "$work/tables" -o "$work/lines" -r "$ranks" ${mixing:+-m "$mixing"} "$@"
  awk -F, 'NR > 1 && $4 > 0 && $4 == $5 && $6 == $10 && $7 == $11 && $8 == $12 && $9 == $13 { same++ } END { exit same != NR - 1 || NR < 2 }' "$work/lines" \
    || fail "$* on $ranks ranks, mixing $mixing: $(cat "$work/lines")"
}
compare '' '1 3 8' KQvK KPvK
compare '' 3 KPvKP
compare plain '2 5' KRvK KPvK
compare 1 3 KQvK
compare 100 4 KPvK

expect "measured" 0 mpirun -np 2 subdef-gen --measure KQvK KRvK -o "$work/tables"
for name in machine state_ns run_ns record_ns word_ns message_us latency_us; do
  grep -q "^$name [^ ]" "$work/out" || fail "--measure does not tell $name"
done
cp "$work/out" "$work/measured"
expect "simulated as measured" 0 subdef simulate KQvK --tables "$work/tables" --measured "$work/measured" --ranks 1,64 --csv
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } $c["seconds"] > 0 && ($c["ranks"] == 1 || $c["exchange_seconds"] > 0) { good++ } END { exit good != 8 }' "$work/out" \
  || fail "simulated as measured: $(cat "$work/out")"
expect "one rank measures nothing" 1 subdef-gen --measure KQvK -o "$work/tables"
echo "state_ns fast" >"$work/measured"
expect "no such measurement" 2 subdef simulate KQvK --tables "$work/tables" --measured "$work/measured"
exit $((failures > 0))
