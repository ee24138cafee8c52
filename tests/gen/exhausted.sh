#!/bin/sh
# Memory and disk that end, at every place that can be had: one clear sentence, exit 1, no table, nobody who waits for ever; or, where
# only a checkpoint was lost, the right table. Then damage: what is not whole is told and built again. Of the requests for memory that
# come from one place the first one fails; with SD_LONG_TESTS=1 each does.
gen=${SD_BUILDDIR:-.}/tools/subdef-gen
short=${SD_BUILDDIR:-.}/tests/gen/short_of_memory
# in memory if possible: each checkpoint is forced to the disk, and waiting for that took most of the time
work=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
. "${SD_SRCDIR:-.}/tests/gen/ranks.sh"
mpi=false long=false
command -v mpirun >/dev/null && grep -q 'define HAVE_MPI 1' "${SD_BUILDDIR:-.}/config.h" && mpi=true
[ "${SD_LONG_TESTS:-0}" = 1 ] && long=true

# check TITLE STATUS TABLE: the run said one thing and left no table, or has made the right one
check () {
  said=$(grep '^subdef-gen: ' "$work/err" | grep -vc 'the run goes on without')
  case $2 in
    0)
      cmp -s "$work/whole/$3" "$work/t/$3" || fail "$1: exit 0, and the table differs"
      [ "$said" -eq 0 ] || fail "$1: exit 0 with a message" ;;
    1)
      [ -e "$work/t/$3" ] && fail "$1: exit 1, and there is a table"
      [ "$said" -eq 1 ] || fail "$1: exit 1 with $said messages" ;;
    *) fail "$1: exit $2" ;;
  esac
  grep -q 'time limit\|built again\|from the beginning' "$work/err" && fail "$1: a wrong message"
}
fresh () {
  rm -rf "$work/t"
  mkdir "$work/t"
  cp "$work/below"/* "$work/t"
}
"$gen" KRvK -q -o "$work/below" >/dev/null || exit 1
"$gen" KRvKR KQvK -q -o "$work/whole" >/dev/null || exit 1

# requests of our own code: the one at place N fails and all that follow, or it alone (-N)
if [ -x "$short" ]; then
  starved () { # starved RANKS N RANK
    fresh
    mpirun=
    [ "$1" -gt 1 ] && mpirun="mpirun --timeout 60 -np $1"
    SHORT_AT=$2 SHORT_RANK=$3 OMP_NUM_THREADS=1 timeout 100 $mpirun "$short" KQvK KRvK -q --checkpoint 0.000001 -o "$work/t" \
      >"$work/out" 2>"$work/err"
    status=$?
    check "request $2 of rank $3 of $1" $status KQvK.dtm.sdt
    if [ $status -eq 1 ]; then
      grep -q '^subdef-gen: .*out of memory' "$work/err" || fail "request $2 of rank $3 of $1: the message does not say so"
    fi
    starvations=$((starvations + 1))
  }
  starvations=0
  requests () { # of rank 0, one a line: where it comes from
    fresh
    mpirun=
    [ "$1" -gt 1 ] && mpirun="mpirun -np $1"
    SHORT_COUNT=$work/count OMP_NUM_THREADS=1 $mpirun "$short" KQvK KRvK -q --checkpoint 0.000001 -o "$work/t" >/dev/null 2>"$work/err"
    cat "$work/count"
  }
  requests 1 >"$work/places"
  for i in $(awk -v long=$long 'long == "true" || !seen[$0]++ { print NR }' "$work/places"); do
    starved 1 "-$i" 0
    [ $((i % 3)) -eq 0 ] && starved 1 "$i" 0
  done
  if $mpi; then
    n=$(requests 2 | wc -l)
    # the transport, the command line, what exists, then anything
    few="1 4 9 13 $((n / 2)) $((n - 20)) $((n - 31))"
    $long && few="$(seq 1 40) $(seq 41 9 $((n - 60))) $(seq $((n - 60)) "$n")"
    for i in $few; do
      starved 2 "$i" $((i % 2))
      $long && starved 2 "-$i" $(((i + 1) % 2))
    done
  fi
  echo "$starvations times short of memory"
fi

# all memory of the process, also that of threads and libraries; what fails in a library may be told by it alone
if ! grep -q 'fsanitize' "${SD_BUILDDIR:-.}/Makefile" && (ulimit -v 1000000) 2>/dev/null; then
  for mib in 5 15 20 25 30 35 40 50 60 80 100 150; do
    fresh
    (ulimit -v $((mib * 1024)); OMP_NUM_THREADS=1 exec timeout 100 "$gen" KRvKR -q -o "$work/t") >"$work/out" 2>"$work/err"
    status=$?
    if [ $status -ne 0 ] && ! grep -q '^subdef-gen: ' "$work/err"; then
      [ -s "$work/err" ] || fail "$mib MiB: exit $status without a word"
      [ -e "$work/t/KRvKR.dtm.sdt" ] && fail "$mib MiB: exit $status, and there is a table"
    else
      check "$mib MiB" $status KRvKR.dtm.sdt
    fi
  done
fi

# a disk that is full: for the table, then only for checkpoints (3.8 MB)
if [ "$(id -u)" -eq 0 ] && unshare --mount sh -c 'mount -t tmpfs none "$0"' "$work" 2>/dev/null; then
  on_disk () { # on_disk KIB RANKS: what is there at the end stays in $work/t
    fresh
    mkdir -p "$work/disk"
    run=
    [ "$2" -gt 1 ] && run="mpirun --timeout 60 -np $2"
    unshare --mount sh -c 'disk=$1 kib=$2 out=$3
      shift 3
      mount -t tmpfs -o "size=${kib}k" none "$disk" && cp "$out"/* "$disk" || exit 99
      "$@"
      status=$?
      rm -r "$out"
      cp -r "$disk" "$out"
      exit $status' sh "$work/disk" "$1" "$work/t" timeout 100 $run "$gen" KRvKR -q --checkpoint 0.02 -o "$work/disk" \
      >"$work/out" 2>"$work/err"
  }
  for ranks in 1 2; do
    [ $ranks -eq 1 ] || $mpi || continue
    on_disk 128 $ranks
    status=$?
    check "disk full, $ranks ranks" $status KRvKR.dtm.sdt
    [ $status -eq 1 ] || fail "disk full, $ranks ranks: exit $status"
    grep -q '^subdef-gen: .*KRvKR.dtm.sdt: .*No space left' "$work/err" || fail "disk full, $ranks ranks: the reason is not told"
    [ "$(find "$work/t" -type f | grep -vc 'KRvK.dtm.sdt')" -eq 0 ] || fail "disk full, $ranks ranks leave $(ls "$work/t"/*)"
    on_disk 1000 $ranks
    check "disk full for checkpoints, $ranks ranks" $? KRvKR.dtm.sdt
    [ "$(grep -c 'the run goes on without.*No space left' "$work/err")" -eq 1 ] || fail "disk full for checkpoints, $ranks ranks: not told once"
    [ "$(ls -A "$work/t" | tr '\n' ' ')" = "KRvK.dtm.sdt KRvKR.dtm.sdt " ] || fail "disk full for checkpoints, $ranks ranks leave $(ls "$work/t"/*)"
  done
fi

# one bit of a sub-ending, anywhere: told with its name, built again, and the table above it is right
flip () { # flip FILE BYTE
  byte=$(od -An -j"$2" -N1 -tu1 "$1" | tr -d ' ')
  printf "\\$(printf %o $((byte ^ 16)))" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}
for ranks in 1 2; do
  [ $ranks -eq 1 ] || $mpi || continue
  for place in 100 6000 12300; do
    fresh
    flip "$work/t/KRvK.dtm.sdt" $place
    cmp -s "$work/t/KRvK.dtm.sdt" "$work/below/KRvK.dtm.sdt" && fail "byte $place was not changed"
    if [ $ranks -eq 1 ]; then "$gen" KRvKR -o "$work/t"; else mpirun -np $ranks "$gen" KRvKR -o "$work/t"; fi >"$work/out" 2>"$work/err" ||
      fail "KRvK damaged at byte $place, $ranks ranks: exit $?"
    grep -q '^subdef-gen: .*KRvK.dtm.sdt: .*built again' "$work/err" || fail "KRvK damaged at byte $place, $ranks ranks: not told"
    for f in KRvK KRvKR; do
      cmp -s "$work/t/$f.dtm.sdt" "$work/whole/$f.dtm.sdt" || fail "KRvK damaged at byte $place, $ranks ranks: $f differs"
    done
  done
done

exit $((failures != 0))
