#!/bin/sh
# kill -9 at random moments, of subdef-gen alone and of single ranks; the run that follows takes up what is there, and the table is
# the same, byte for byte. 10 rounds, 50 with SD_LONG_TESTS=1; and a disk that is too full for checkpoints.
gen=${SD_BUILDDIR:-.}/tools/subdef-gen
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_hwloc_base_binding_policy=none
ASAN_OPTIONS=detect_leaks=0 # MPI's own
OMP_WAIT_POLICY=passive
export ASAN_OPTIONS OMP_WAIT_POLICY OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe
export OMPI_MCA_mpi_yield_when_idle OMPI_MCA_btl_vader_single_copy_mechanism OMPI_MCA_hwloc_base_binding_policy
rounds=10
[ "${SD_LONG_TESTS:-0}" = 1 ] && rounds=50
mpi=false
command -v mpirun >/dev/null && command -v pgrep >/dev/null && grep -q 'define HAVE_MPI 1' "${SD_BUILDDIR:-.}/config.h" && mpi=true
failures=0 resumed=0 kills=0

fail () {
  echo "FAIL: $1"
  sed 's/^/  | /' "$work/err" | head -5
  failures=$((failures + 1))
}
now () { # milliseconds
  echo $(($(date +%s%N) / 1000000))
}
random () { # below $1
  echo $(($(od -An -N4 -tu4 /dev/urandom) % $1))
}
rest () { # milliseconds
  sleep "$(printf '%d.%03d' $(($1 / 1000)) $(($1 % 1000)))"
}

"$gen" KBvK KNvK -q -o "$work/below" >/dev/null || exit 1
cp -r "$work/below" "$work/whole"
begin=$(now)
"$gen" KBNvK -q --checkpoint 0 -o "$work/whole" >/dev/null || exit 1
took=$(($(now) - begin))
table=KBNvK.dtm.sdt

for round in $(seq "$rounds"); do
  rm -rf "$work/t"
  cp -r "$work/below" "$work/t"
  for again in 1 2; do # the second kill meets the resumed run
    ranks=1
    $mpi && [ $((round % 5)) -eq 0 ] && ranks=$((1 + again))
    if [ $ranks -eq 1 ]; then
      "$gen" KBNvK --checkpoint 0.02 -o "$work/t" >/dev/null 2>"$work/err" &
      pid=$! victim=$pid
      rest "$(random "$took")"
    else
      mpirun -np $ranks "$gen" KBNvK --checkpoint 0.02 -o "$work/t" >/dev/null 2>"$work/err" &
      pid=$! victim=
      rest $((700 + $(random "$took")))
      victim=$(pgrep -P $pid | sed -n "$((1 + $(random $ranks)))p") # one of our mpirun's ranks
    fi
    [ -n "$victim" ] && kill -9 "$victim" 2>/dev/null && kills=$((kills + 1))
    wait $pid 2>/dev/null
    grep -q 'from the beginning' "$work/err" && fail "round $round: a checkpoint could not be used"
    resumed=$((resumed + $(grep -c 'resumed at ply' "$work/err")))
  done
  if $mpi && [ $((round % 5)) -eq 0 ]; then
    mpirun -np 3 "$gen" KBNvK -o "$work/t" >/dev/null 2>"$work/err" || fail "round $round: the last run failed"
  else
    "$gen" KBNvK -o "$work/t" >/dev/null 2>"$work/err" || fail "round $round: the last run failed"
  fi
  grep -q 'from the beginning' "$work/err" && fail "round $round: a checkpoint could not be used"
  resumed=$((resumed + $(grep -c 'resumed at ply' "$work/err")))
  cmp "$work/whole/$table" "$work/t/$table" || fail "round $round: the table differs"
  [ -e "$work/t/KBNvK.ckpt" ] && fail "round $round: the checkpoint is still there: $(ls "$work/t/KBNvK.ckpt" | tr '\n' ' ')"
done
echo "$rounds rounds: $kills killed, $resumed resumed"
[ $resumed -ge $((rounds / 3)) ] || fail "only $resumed runs were resumed in $rounds rounds"

# killed while it codes: no table yet under its name, and what was begun is gone with the next run
for ranks in 1 3; do
  $mpi || [ $ranks -eq 1 ] || continue
  rm -f "$work/t/$table"
  tries=0
  while [ $tries -lt 20 ]; do
    if [ $ranks -eq 1 ]; then
      "$gen" KBNvK -q -o "$work/t" >/dev/null 2>&1 &
    else
      mpirun -np $ranks "$gen" KBNvK -q -o "$work/t" >/dev/null 2>&1 &
    fi
    pid=$!
    while kill -0 $pid 2>/dev/null && ! ls "$work/t/$table".*.tmp >/dev/null 2>&1; do sleep 0.01; done
    victim=$pid
    [ $ranks -gt 1 ] && victim=$(pgrep -P $pid | sed -n "$((1 + $(random $ranks)))p")
    [ -n "$victim" ] && kill -9 "$victim" 2>/dev/null
    wait $pid 2>/dev/null && { rm -f "$work/t/$table"; tries=$((tries + 1)); continue; } # it was faster
    [ -e "$work/t/$table" ] && fail "killed while coding: there is a table"
    break
  done
  [ $tries -lt 20 ] || fail "never killed while coding"
  "$gen" KBNvK -q -o "$work/t" >/dev/null 2>"$work/err" || fail "after a kill while coding: the run failed"
  cmp "$work/whole/$table" "$work/t/$table" || fail "after a kill while coding: the table differs"
  [ "$(ls -A "$work/t")" = "$(ls -A "$work/whole")" ] || fail "after a kill while coding there is $(ls -A "$work/t" | tr '\n' ' ')"
done

# a disk too full for a checkpoint (7.6 MB), but not for the table; the unit is 512 bytes in some shells, 1024 in others
rm -f "$work/below/$table"
( ulimit -f 5000; trap '' XFSZ; exec "$gen" KBNvK --checkpoint 0.02 -q -o "$work/below" ) >/dev/null 2>"$work/err" ||
  fail "full disk: the run failed"
[ "$(grep -c 'the run goes on without' "$work/err")" -eq 1 ] || fail "full disk: not told once"
cmp "$work/whole/$table" "$work/below/$table" || fail "full disk: the table differs"

# wrong usage
"$gen" KBNvK --checkpoint soon -o "$work/t" >/dev/null 2>"$work/err"
[ $? -eq 2 ] || fail "--checkpoint soon: not exit 2"
"$gen" KBNvK --checkpoint -1 -o "$work/t" >/dev/null 2>"$work/err"
[ $? -eq 2 ] || fail "--checkpoint -1: not exit 2"

exit $((failures != 0))
