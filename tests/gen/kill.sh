#!/bin/sh
# kill -9 at random moments: of subdef-gen alone, of one rank of several, of mpirun itself; while moves are counted, in iterations, while
# the table is coded. The run that follows has another number of ranks and threads and another deal, takes up what is there, and
# its table is the same, byte for byte. 10 rounds with an ending of half the size; 60 with SD_LONG_TESTS=1, 36 of them under mpirun.
#
# What is lost is at most the interval and one iteration: the manifest names the ply, the next run must say the same one; and the
# manifest is as young as that when its run is killed in an iteration. A busy machine may stall a run, so half of them may look older.
gen=${SD_BUILDDIR:-.}/tools/subdef-gen
work=$(mktemp -d) || exit 99
pid=
trap '[ -n "$pid" ] && kill -9 $pid 2>/dev/null; rm -rf "$work"' EXIT
. "${SD_SRCDIR:-.}/tests/gen/ranks.sh"
mpi=false
command -v mpirun >/dev/null && command -v pgrep >/dev/null && grep -q 'define HAVE_MPI 1' "${SD_BUILDDIR:-.}/config.h" && mpi=true
rounds=10 ending=KRvKR below=KRvK
[ "${SD_LONG_TESTS:-0}" = 1 ] && rounds=60 ending=KBNvK below="KBvK KNvK"
table=$ending.dtm.sdt ckpt=$ending.ckpt interval=0.02
resumed=0 kills=0 mpi_kills=0 old=0 young=0 early=0 middle=0 late=0 unhurt=0

now () { # milliseconds
  echo $(($(date +%s%N) / 1000000))
}
random () { # below $1
  echo $(($(od -An -N4 -tu4 /dev/urandom) % $1))
}
rest () { # milliseconds
  sleep "$(printf '%d.%03d' $(($1 / 1000)) $(($1 % 1000)))"
}
# a way to run: ranks, and in $how what changes nothing in the table
another_way () {
  case $(random 4) in
    0) how="--mixing plain" ;;
    1) how="--mixing 64" ;;
    2) how= ;;
    3) how="--mixing plain --balance 2:0.0001" ;;
  esac
  OMP_NUM_THREADS=$((1 + $(random 3)))
  export OMP_NUM_THREADS
}
start () { # start RANKS ARGUMENTS...: replaces the shell
  ranks=$1
  shift
  [ "$ranks" -eq 1 ] && exec "$gen" $ending "$@"
  exec mpirun --timeout 120 -np "$ranks" "$gen" $ending "$@"
}
# the ranks of our mpirun $pid, as long as they live
ranks_of () {
  pgrep -P "$pid" | while read -r p; do
    case $(readlink "/proc/$p/exe") in */subdef-gen | */lt-subdef-gen) echo "$p" ;; esac
  done
}
# The moment: any while moves are counted, or in the iterations or the coding that follow. A wait by the clock alone would miss them
# on a busy machine.
wait_for_stage () { # wait_for_stage STAGE
  tries=0
  case $1 in
    counting) rest "$(random $((took / 2)))" ;;
    iterating)
      target=$(random "$last_ply")
      while kill -0 $pid 2>/dev/null && [ $tries -lt 2000 ]; do
        reached=$(ply_of)
        [ -n "$reached" ] && [ "$reached" -ge "$target" ] && break
        tries=$((tries + 1))
        rest 10
      done
      rest "$(random $((took / 20)))" ;;
    coding)
      while kill -0 $pid 2>/dev/null && [ $tries -lt 2000 ] && ! ls "$work/t/$table".*.tmp >/dev/null 2>&1; do
        tries=$((tries + 1))
        rest 10
      done
      rest "$(random $((took / 10)))" ;;
  esac
}
# kill one: subdef-gen, a rank, or in one of six mpirun, whose ranks must then end by themselves. Stays in $victim
kill_one () {
  victim=$pid all=
  if [ "$1" -gt 1 ]; then
    all=$(ranks_of)
    if [ -n "$all" ] && [ "$(random 6)" -gt 0 ]; then
      victim=$(echo "$all" | sed -n "$((1 + $(random "$(echo "$all" | wc -l)")))p")
    fi
  fi
  at=$(now)
  kill -9 "$victim" 2>/dev/null
  wait $pid 2>/dev/null
  status=$?
  pid=
  tries=0
  for p in $all; do
    while kill -0 "$p" 2>/dev/null && [ $tries -lt 400 ]; do
      rest 50
      tries=$((tries + 1))
    done
    kill -9 "$p" 2>/dev/null && fail "round $round: killed $victim, and rank $p went on for 20 seconds"
  done
}
# the ply of the checkpoint in $work/t, empty without one; the place is in docs/checkpoint.md
ply_of () {
  [ -e "$work/t/$ckpt/manifest" ] && od -An -j44 -N4 -tu4 "$work/t/$ckpt/manifest" 2>/dev/null | tr -d ' '
}
# what a run said of the checkpoint that lay there
check_notice () { # check_notice PLY
  grep -q 'from the beginning' "$work/err" && fail "round $round: a checkpoint could not be used"
  said=$(sed -n 's/.*resumed at ply \([0-9]*\).*/\1/p' "$work/err")
  [ -n "$said" ] && resumed=$((resumed + 1))
  [ "$said" = "$1" ] || fail "round $round: resumed at ply '$said', the manifest says '$1'"
}
# where was it killed, and how much is lost?
judge () { # judge RANKS
  if [ $status -eq 0 ]; then
    unhurt=$((unhurt + 1)) # it was faster
    return
  fi
  kills=$((kills + 1))
  [ "$1" -gt 1 ] && mpi_kills=$((mpi_kills + 1))
  grep -q 'time limit' "$work/err" && fail "round $round: killed $victim, and mpirun went on for two minutes"
  [ -e "$work/t/$table" ] && ! cmp -s "$work/whole/$table" "$work/t/$table" &&
    fail "round $round: there is a table, and not the right one"
  ply=$(ply_of)
  if [ -z "$ply" ]; then
    early=$((early + 1))
  elif [ "$ply" -ge "$last_ply" ]; then
    late=$((late + 1))
  else
    middle=$((middle + 1))
    age=$((at - $(date -r "$work/t/$ckpt/manifest" +%s%N) / 1000000))
    if [ $age -gt $((20 + took / 4)) ]; then old=$((old + 1)); else young=$((young + 1)); fi
  fi
}

"$gen" $below -q -o "$work/below" >/dev/null || exit 1
cp -r "$work/below" "$work/whole"
"$gen" $ending -q --checkpoint 0 -o "$work/whole" >/dev/null || exit 1
# how long a run takes, for each number of ranks, and the ply of its last checkpoint
for ranks in 1 2 3 4; do
  took=1000
  if [ $ranks -eq 1 ] || $mpi; then
    rm -rf "$work/t"
    cp -r "$work/below" "$work/t"
    begin=$(now)
    (start $ranks --checkpoint $interval --json -q -o "$work/t") >"$work/out" 2>"$work/err" || fail "$ranks ranks: exit $?"
    took=$(($(now) - begin))
    cmp "$work/whole/$table" "$work/t/$table" || fail "$ranks ranks: the table differs"
  fi
  eval "took$ranks=$took"
done
last_ply=$((2 * $(sed -n 's/.*"mate_moves":\([0-9]*\),.*/\1/p' "$work/out") - 1))
if [ $last_ply -le 20 ]; then
  fail "the longest win has $last_ply plies"
  exit 1
fi

for round in $(seq "$rounds"); do
  rm -rf "$work/t"
  cp -r "$work/below" "$work/t"
  again=1
  [ "$(random 3)" -eq 0 ] && again=2 # the second kill meets the resumed run
  while [ $again -gt 0 ]; do
    again=$((again - 1))
    ranks=1
    $mpi && [ $((round % 5)) -lt 3 ] && ranks=$((2 + $(random 3)))
    another_way
    ply=$(ply_of)
    (start $ranks --checkpoint $interval $how -o "$work/t") >/dev/null 2>"$work/err" &
    pid=$!
    eval "took=\$took$ranks"
    stage=$(echo "iterating counting iterating coding" | cut -d' ' -f$((1 + (round / 2 + again) % 4)))
    wait_for_stage "$stage"
    kill_one $ranks
    if grep -q 'resumed\|from the beginning' "$work/err"; then # else it was killed before it spoke
      check_notice "$ply"
    fi
    judge $ranks
  done
  ranks=1
  $mpi && ranks=$((1 + $(random 4)))
  another_way
  ply=$(ply_of) there=false
  [ -e "$work/t/$table" ] && there=true # it was faster than the kill
  (start $ranks --checkpoint $interval $how -o "$work/t") >/dev/null 2>"$work/err" ||
    fail "round $round: $ranks ranks, $how: the last run failed"
  $there || check_notice "$ply"
  cmp "$work/whole/$table" "$work/t/$table" || fail "round $round: $ranks ranks, $how: the table differs"
  [ "$(ls -A "$work/t")" = "$(ls -A "$work/whole")" ] || fail "round $round leaves $(ls -A "$work/t" | tr '\n' ' ')"
done
echo "$rounds rounds: $kills killed, $mpi_kills of them of several ranks ($early before the first checkpoint, $middle in iterations," \
  "$late later), $unhurt too late; $resumed resumed; $old of $((old + young)) checkpoints looked old"
[ $resumed -ge $((rounds / 3)) ] || fail "only $resumed runs were resumed in $rounds rounds"
[ $((2 * old)) -le $((old + young + 1)) ] || fail "$old of $((old + young)) checkpoints are older than the interval and some iterations"
# a disk too full for a checkpoint (at least 1.9 MB a rank), but not for the table; the unit is 512 bytes in some shells, 1024 in
# others. Shared memory of MPI does not fit such a limit
for ranks in 1 2; do
  [ $ranks -eq 1 ] || $mpi || continue
  rm -rf "$work/t"
  cp -r "$work/below" "$work/t"
  mpirun=
  [ $ranks -gt 1 ] && mpirun="mpirun --timeout 120 -np $ranks"
  OMPI_MCA_btl=self,tcp $mpirun sh -c 'ulimit -f 1500; trap "" XFSZ; exec "$0" "$@"' \
    "$gen" $ending --checkpoint 0.02 -q -o "$work/t" >/dev/null 2>"$work/err" || fail "full disk, $ranks ranks: the run failed"
  [ "$(grep -c 'the run goes on without' "$work/err")" -eq 1 ] || fail "full disk, $ranks ranks: not told once"
  cmp "$work/whole/$table" "$work/t/$table" || fail "full disk, $ranks ranks: the table differs"
  [ "$(ls -A "$work/t")" = "$(ls -A "$work/whole")" ] || fail "full disk, $ranks ranks leave $(ls -A "$work/t" | tr '\n' ' ')"
done

# wrong usage
"$gen" $ending --checkpoint soon -o "$work/t" >/dev/null 2>"$work/err"
[ $? -eq 2 ] || fail "--checkpoint soon: not exit 2"
"$gen" $ending --checkpoint -1 -o "$work/t" >/dev/null 2>"$work/err"
[ $? -eq 2 ] || fail "--checkpoint -1: not exit 2"

exit $((failures != 0))
