#!/bin/sh
# subdef-gen as a user types it: the same files for every number of ranks, what is skipped, what is built again, how it fails.
gen=${SD_BUILDDIR:-.}/tools/subdef-gen
subdef=${SD_BUILDDIR:-.}/tools/subdef
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
. "${SD_SRCDIR:-.}/tests/gen/ranks.sh"

says () {
  grep -q -e "$2" "$work/err" || fail "$1: the message does not say: $2"
}
lines () {
  [ "$(wc -l <"$work/$2")" -eq "$3" ] || fail "$1: $(wc -l <"$work/$2") lines in $2, expected $3"
}

# the same tables by 1, 2, 3, 5 and 8 ranks, by 1, 2 and 3 threads, and without mpirun; one with a single side
endings="KQvK KRvK KPvK KNvK KQvKQ"
expect "alone" 0 "$gen" $endings -q -o "$work/alone"
lines "a header, and two lines per ending" out 13
[ "$(ls "$work/alone" | wc -l)" -eq 6 ] || fail "KPvK brings KQvK, KRvK, KBvK and KNvK: $(ls "$work/alone" | tr '\n' ' ')"
for n in 1 2 3; do
  expect "$n threads" 0 env OMP_NUM_THREADS=$n "$gen" $endings -q -o "$work/threads$n"
  for f in "$work"/alone/*; do
    cmp -s "$f" "$work/threads$n/${f##*/}" || fail "$n threads: ${f##*/} differs"
  done
done
if command -v mpirun >/dev/null && grep -q 'define HAVE_MPI 1' "${SD_BUILDDIR:-.}/config.h"; then
  for n in 1 2 3 5 8; do
    expect "$n ranks" 0 env OMP_NUM_THREADS=$((1 + n % 3)) mpirun -np $n "$gen" $endings -q -o "$work/r$n"
    lines "only one of $n ranks speaks" out 13
    for f in "$work"/alone/*; do
      cmp -s "$f" "$work/r$n/${f##*/}" || fail "$n ranks: ${f##*/} differs from that of one process"
    done
    [ "$(ls -A "$work/r$n" | wc -l)" -eq 6 ] || fail "$n ranks leave $(ls -A "$work/r$n" | tr '\n' ' ')"
  done
  for threads in 1 3; do
    expect "2 ranks, $threads threads" 0 env OMP_NUM_THREADS=$threads mpirun -np 2 "$gen" $endings -q -o "$work/r2t$threads"
    for f in "$work"/alone/*; do
      cmp -s "$f" "$work/r2t$threads/${f##*/}" || fail "2 ranks, $threads threads: ${f##*/} differs from that of one process"
    done
  done
  # states in one range a rank, and tasks given away; mpi_solver.c has more ranks and groups
  for pair in 2:2 3:2 5:4 8:3; do
    n=${pair%:*} group=${pair#*:}
    expect "$n ranks, groups of $group" 0 \
      mpirun -np $n "$gen" $endings -q -o "$work/b$n" --mixing plain --balance $group:0.00001
    for f in "$work"/alone/*; do
      cmp -s "$f" "$work/b$n/${f##*/}" || fail "$n ranks, groups of $group: ${f##*/} differs from that of one process"
    done
  done
  expect "a log of iterations" 0 mpirun -np 3 "$gen" KQvK -q -f -o "$work/b3" --mixing plain --log
  [ "$(grep -c '^KQvK ply [0-9]*: [0-9]* states, [0-9.]* times the mean on one rank' "$work/err")" -eq 22 ] \
    || fail "--log: $(grep -c '^KQvK ply' "$work/err") lines, expected 22"
  grep -q '^KQvK ply 0: 46 states, 2.35 times' "$work/err" || fail "--log: $(grep 'ply 0:' "$work/err")"
  for solver in sequential backward; do
    expect "$solver on two ranks" 1 mpirun -np 2 "$gen" KQvK --solver $solver -q -o "$work/s2"
    says "$solver on two ranks" "one rank, not on 2"
  done
  expect "usage error under mpirun" 2 mpirun -np 3 "$gen" KXvK
  [ "$(grep -c KXvK "$work/err")" -eq 1 ] || fail "three ranks say it $(grep -c KXvK "$work/err") times"
  touch "$work/plain"
  expect "folder that cannot be made, three ranks" 1 mpirun -np 3 "$gen" KQvK -q -o "$work/plain/x"
  [ "$(grep -c '^subdef-gen:' "$work/err")" -eq 1 ] || fail "three ranks fail with $(grep -c '^subdef-gen:' "$work/err") messages"
  mkdir -p "$work/taken/KQvK.dtm.sdt/x" # the finished file cannot take its name, which only rank 0 sees
  expect "a folder where the file should be, three ranks" 1 mpirun -np 3 "$gen" KQvK -f -q -o "$work/taken"
  [ "$(grep -c '^subdef-gen:' "$work/err")" -eq 1 ] || fail "three ranks fail with $(grep -c '^subdef-gen:' "$work/err") messages"
  [ "$(ls "$work/taken")" = KQvK.dtm.sdt ] || fail "a failed run leaves $(ls "$work/taken")"
  # as below; the ranks write through MPI, which may say a word of its own (and takes no shared memory within such a limit)
  expect "disk full, three ranks" 1 env OMPI_MCA_btl=self,tcp \
    mpirun -np 3 sh -c 'ulimit -f 8; trap "" XFSZ; exec "$0" "$@"' "$gen" KRvK -q -o "$work/small3"
  [ "$(grep -c '^subdef-gen:.*KRvK.dtm.sdt: write failed at byte [0-9]*: ' "$work/err")" -eq 1 ] ||
    fail "disk full, three ranks: not told once"
  [ -z "$(ls -A "$work/small3")" ] || fail "a failed write by three ranks leaves $(ls -A "$work/small3")"
fi

# by any solver; of the slow ones tests/papers/test_solvers.c has equal material
for solver in parallel sequential forward backward; do
  of="KPvK KQvKQ" files=6
  case $solver in sequential | forward) of=KPvK files=5 ;; esac
  expect "--solver $solver" 0 "$gen" $of --solver $solver -q -o "$work/$solver"
  [ "$(ls "$work/$solver" | wc -l)" -eq $files ] || fail "--solver $solver makes $(ls "$work/$solver" | tr '\n' ' ')"
  for f in "$work/$solver"/*; do
    cmp -s "$work/alone/${f##*/}" "$f" || fail "--solver $solver: ${f##*/} differs"
  done
done
expect "solver that there is not" 2 "$gen" KQvK --solver nix
says "solver that there is not" "expected parallel, "
expect "help lists the solvers" 0 "$gen" --help
grep -q "^  sequential" "$work/out" || fail "--help does not list the solver sequential"

# by any codec with blocks of its own: other bytes, the same values
for codec in lz4 zlib lzma; do
  expect "--codec $codec" 0 "$gen" KPvK --codec $codec --set block=1000 -q -o "$work/$codec"
  expect "table in $codec" 0 "$subdef" info "$work/$codec/KPvK.dtm.sdt"
  grep -q "$codec" "$work/out" || fail "--codec $codec: another one in the file"
  expect "verify $codec" 0 "$subdef" verify "$work/$codec/KPvK.dtm.sdt" --tables "$work/$codec"
done
if "$subdef" reformat --set help | grep -q "^bzip2"; then
  expect "codec with smaller blocks" 0 "$gen" KQvK --codec bzip2 -q -o "$work/bzip2"
fi
case $("$subdef" reformat --set help) in
  *zstd*) usual="--codec zstd --set level=9,block=262144" ;;
  *) usual="--codec lzma --set preset=2" ;;
esac
expect "default codec, by name" 0 "$gen" KPvK $usual -q -o "$work/usual"
cmp -s "$work/alone/KPvK.dtm.sdt" "$work/usual/KPvK.dtm.sdt" || fail "$usual is not the default"
expect "another level of the default codec" 0 "$gen" KPvK --set ${usual##* --set } -q -o "$work/set"
cmp -s "$work/alone/KPvK.dtm.sdt" "$work/set/KPvK.dtm.sdt" || fail "--set alone: another codec than the default"
expect "codec that there is not" 2 "$gen" KQvK --codec nix
says "codec that there is not" "--codec nix: expected store, lzma"
expect "codec without blocks" 2 "$gen" KQvK --codec repair
says "codec without blocks" "does not code blocks apart"
expect "settings that there are not" 2 "$gen" KQvK --codec zlib --set level=10
says "settings that there are not" "from 1 to 9"

expect "mixing" 2 "$gen" KQvK --mixing none
says "mixing" "mixing none: expected plain, or"
for b in 1 2: 4:0 4:-1 x 4:1s; do
  expect "--balance $b" 2 "$gen" KQvK --balance $b
  says "--balance $b" "balance $b: expected G or G:SECONDS"
done

# what exists is left alone; what is damaged is built again
expect "second run" 0 "$gen" KPvK -q -o "$work/alone"
lines "nothing is built twice" out 0
cp "$work/alone/KRvK.dtm.sdt" "$work/before"
dd if=/dev/zero of="$work/alone/KRvK.dtm.sdt" bs=1 seek=200 count=16 conv=notrunc 2>/dev/null
expect "damaged table" 0 "$gen" KRvK -o "$work/alone"
lines "the damaged one is built again" out 3
says "the damaged one is named" "KRvK.dtm.sdt.*built again"
cmp -s "$work/before" "$work/alone/KRvK.dtm.sdt" || fail "the table built again differs"
expect "--force" 0 "$gen" KRvK --force -q -o "$work/alone"
lines "--force builds again" out 3
expect "mirrored name" 0 "$gen" KvKR -q -o "$work/alone"
lines "the mirrored name is the same table" out 0

# what killed runs have left half written goes when a run starts on their folder, whatever it makes; not what is being written
host=$(hostname 2>/dev/null | tr / _ | cut -c1-32)
left=$work/alone/KQvKR.dtm.sdt.$host.4711.tmp busy=$work/alone/KQvKB.dtm.sdt.$host.4711.tmp
if [ -n "$host" ] && command -v flock >/dev/null; then
  touch "$left" "$busy" "$work/alone/KQvKN.dtm.sdt.elsewhere.4711.tmp" "$work/alone/mine.tmp"
  expect "--estimate" 0 "$gen" KQvK --estimate -o "$work/alone"
  [ -e "$left" ] || fail "--estimate sweeps the folder"
  expect "leftovers" 0 flock "$busy" "$gen" KQvK -q -o "$work/alone"
  [ -e "$left" ] && fail "leftovers of a killed run stay"
  [ -e "$busy" ] || fail "a file that is being written was swept away"
  [ -e "$work/alone/mine.tmp" ] && [ -e "$work/alone/KQvKN.dtm.sdt.elsewhere.4711.tmp" ] || fail "others' files were swept away"
  rm -f "$work/alone"/*.tmp
fi

# what is predicted is what it takes: memory within 4 %, messages within 15 %, the table within twice
# predicted TITLE: the last command's result. What a sanitizer keeps beside the program is not predicted.
predicted () {
  title=$1
  tr ',{}' '\n\n\n' <"$work/out" | awk -F: -v title="$title" -v sanitized="${SD_SANITIZE:-}" '
    { gsub ("\"", "", $1); v[$1] = $2 }
    function off (a, b) { return b ? (a > b ? a - b : b - a) / b : a }
    END {
      if (!("predicted_bytes_per_position" in v) || off (v["predicted_bytes_per_position"], v["bytes_per_position"]) > 0.04)
        print title ": " v["predicted_bytes_per_position"] " bytes a position predicted, it took " v["bytes_per_position"]
      if (off (v["predicted_messages"], v["messages"]) > 0.15)
        print title ": " v["predicted_messages"] " messages predicted, it sent " v["messages"]
      if (v["predicted_bytes"] > 2 * v["bytes"] + 500 || v["bytes"] > 2 * v["predicted_bytes"] + 500)
        print title ": " v["predicted_bytes"] " bytes of table predicted, it has " v["bytes"]
      if (!sanitized && v["predicted_process_bytes"] < 0.85 * v["resident_bytes"])
        print title ": " v["predicted_process_bytes"] " bytes predicted, " v["resident_bytes"] " were resident"
    }' >"$work/err"
  [ -s "$work/err" ] && fail "$title: other than predicted"
}
expect "predicted, alone" 0 "$gen" KPvK --threads 1 --json -q -f -o "$work/alone"
predicted "KPvK alone"
expect "predicted, 2 threads" 0 "$gen" KQvKQ --threads 2 --json -q -f -o "$work/alone"
predicted "KQvKQ by 2 threads"
if command -v mpirun >/dev/null && grep -q 'define HAVE_MPI 1' "${SD_BUILDDIR:-.}/config.h"; then
  for n in 2 3; do
    of="KRvK KPvK KQvKQ KQQvK KRvKB"
    [ "${SD_LONG_TESTS:-0}$n" != 03 ] || of="KRvK KPvK KQvKQ"
    for e in $of; do
      expect "predicted, $n ranks" 0 mpirun -np $n "$gen" $e --threads 1 --json -q -f -o "$work/alone"
      predicted "$e by $n ranks"
    done
  done
fi
if [ -n "$SD_LONG_TESTS" ]; then
  expect "predicted, KQQQvK" 0 "$gen" KQQQvK --json -q -o "$work/alone"
  tail -n 1 "$work/out" >"$work/last" && mv "$work/last" "$work/out"
  predicted KQQQvK
fi

# estimates, help, version
expect "--estimate" 0 "$gen" --men 4 --estimate -o "$work/never"
grep -q '^KPvKP .*MiB.*MiB' "$work/out" || fail "--estimate has no row for KPvKP"
grep -q '^35 of 35 endings' "$work/out" || fail "--estimate does not count 35 endings"
[ -e "$work/never" ] && fail "--estimate made the folder"
expect "--estimate of another metric" 0 "$gen" KRvK --metric dtz50 --estimate -o "$work/never"
grep -q 'those of dtm' "$work/out" || fail "--estimate does not say which metric its figures are of"
expect "--estimate --ranks" 0 "$gen" KRPPvKRP --estimate --ranks 512 --threads 8 -o "$work/never"
grep -q '^340 of 340 endings to build, 512 ranks with 8 threads each' "$work/out" || fail "--estimate --ranks: $(tail -n 3 "$work/out")"
grep -q 'would be refused' "$work/out" && fail "--estimate: $(tail -n 3 "$work/out")"
grep -q 'ranks are needed' "$work/out" && fail "--estimate says that 512 ranks are too few"
expect "--estimate --ranks 2" 0 "$gen" KRPvKRP --estimate --ranks 2 -o "$work/never"
grep -q '^at least 4 ranks are needed' "$work/out" || fail "--estimate does not say how many ranks are needed"
expect "--estimate of five queens" 0 "$gen" KQQQQQvK --estimate -o "$work/never"
grep -q '^an ending with a conversion that loses in more than 220 moves would be refused' "$work/out" ||
  fail "--estimate of five queens: $(tail -n 3 "$work/out")"
expect "--estimate --json" 0 "$gen" KQvKQ --estimate --json -o "$work/never"
grep -q '^{"ending":"KQvKQ",.*"slots":1892352,.*"bytes_per_position":[0-9.]*,.*"messages":0,' "$work/out" || fail "--estimate --json: $(cat "$work/out")"
expect "--ranks without --estimate" 2 "$gen" KQvK --ranks 2
says "--ranks without --estimate" "mpirun -np 2 subdef-gen"
expect "--threads 0" 2 "$gen" KQvK --threads 0
says "--threads 0" "threads 0: expected a number from 1 to"
expect "--help" 0 "$gen" --help
grep -q 'mpirun' "$work/out" || fail "--help does not tell of mpirun"
expect "--version" 0 "$gen" --version
expect "--json" 0 "$gen" KQvK --json -f -q -o "$work/alone"
grep -q '^{"ending":"KQvK","white":{"positions":18081,"won":18081,.*}$' "$work/out" || fail "--json: $(cat "$work/out")"

# wrong usage is 2, failure is 1, and nothing half-written stays
expect "no ending" 2 "$gen"
says "no ending" "no ending was named"
expect "unknown piece" 2 "$gen" KXvK
says "unknown piece" KXvK
expect "two kings" 2 "$gen" KvK
says "two kings" "always drawn"
expect "--men 9" 2 "$gen" --men 9
says "--men 9" "3 to 7"
expect "--men 4x" 2 "$gen" --men 4x
expect "unknown option" 2 "$gen" --frobnicate KQvK
touch "$work/plain"
expect "folder below a file" 1 "$gen" KQvK -q -o "$work/plain/x"
says "folder below a file" "plain"
if [ -w /dev/full ]; then
  "$gen" KQvK -f -q -o "$work/full" >/dev/full 2>"$work/err"
  [ $? -eq 1 ] || fail "standard output full: not exit 1"
fi
# a file may have 512 or 1024 bytes: as on a full disk, the write stops half-way
( ulimit -f 1; trap '' XFSZ; exec "$gen" KQvK -q -o "$work/small" ) >"$work/out" 2>"$work/err"
[ $? -eq 1 ] || fail "disk full: not exit 1"
says "disk full" "^subdef-gen: .*KQvK.dtm.sdt.*write"
[ -z "$(ls "$work/small")" ] || fail "a failed write leaves $(ls "$work/small")"
lines "disk full: one sentence" err 1

[ $failures -eq 0 ] && echo "subdef-gen: all as expected"
exit $((failures != 0))
