#!/bin/sh
# A disk that is full at the first write, the second one, ... each; a kill at any moment; files that shrink under a running program;
# folders that cannot be written. Whatever happens: exit 1 and one clear sentence (or the right result), nothing half-written under a
# final name, nothing temporary left by who could still clean up, and the same command works afterwards. Needs strace for the disk.
build=$(cd "${SD_BUILDDIR:-.}" && pwd)
subdef=$build/tools/subdef
work=$(mktemp -d) || exit 99
trap 'chmod -R u+rwX "$work"; rm -rf "$work"' EXIT
cd "$work" || exit 99
export OMP_NUM_THREADS=1
fail () { echo "FAIL: $*" >&2; sed 's/^/  /' err >&2; exit 1; }
long=${SD_LONG_TESTS:-0}

"$subdef" gen KQvK KRvK KRvKR -q -o exact >out 2>err || fail "gen"
"$subdef" gen KQvK KRvK KRvKR --metric dtz50 -q -o exact50 >out 2>err || fail "gen --metric dtz50"
cat >small.conf <<'EOF'
groups = ( { name = "g"; tables = [ "KQvK" ]; metric = [ "wdl" ]; codec = { name = "huffman"; }; },
           { name = "h"; tables = [ "KRvK" ]; metric = [ "wdl" ]; codec = { name = "repair"; block = [ 64, 128 ]; }; } );
EOF
[ "$long" = 1 ] && rounds=40 || rounds=8

# whole FOLDER WHERE: every file there that has a final name is a whole one, and there is nothing else
whole () {
  for file in $(find "$1" -type f 2>/dev/null); do
    case $file in
      *.sdt) "$subdef" verify --sums "$file" >out2 2>&1 || fail "$2: $file is there, but damaged: $(cat out2)" ;;
      *.tmp) fail "$2: $file is left" ;;
    esac
  done
}

# full TITLE FOLDER COMMAND...: the disk is full from the first, second, ... write of the command on, until it needs no more of them
full () {
  title=$1 folder=$2 at=1
  shift 2
  for calls in write,pwrite64 fsync,fdatasync rename; do
    at=1
    while :; do
      rm -rf "$folder"
      timeout 60 strace -f -qq -o /dev/null -e trace=$calls -e inject=$calls:error=ENOSPC:when=$at+ "$@" >out 2>err </dev/null
      status=$?
      [ $status -eq 0 ] && break
      [ $status -eq 1 ] || fail "$title, $calls $at: exit $status"
      # a sentence; where stderr is among the writes that fail, none can be read
      [ "$calls" = write,pwrite64 ] || [ "$(grep -c '^subdef' err)" -ge 1 ] || fail "$title, $calls $at: no word of it"
      whole "$folder" "$title, $calls $at"
      at=$((at + 1))
      [ $at -le 60 ] || break
    done
    tried=$((tried + at - 1))
  done
  rm -rf "$folder"
  "$@" >out 2>err </dev/null || fail "$title: not even where nothing fails"
}

tried=0
if command -v strace >/dev/null && strace -qq -o /dev/null true 2>/dev/null; then
  full reformat small "$subdef" reformat KRvK --metric wdl --codec repair --tables exact -o small -q
  full gen made "$subdef" gen KRvK -q -o made
  "$subdef" export --syzygy small2 KRvK KQvK -q --tables exact50 >out 2>err || fail export
  full export public "$subdef" export --syzygy public KRvK --tables exact50
  full recompress public2 "$subdef" recompress small2/KRvK.rtbw -o public2 -q
  full sweep cells "$subdef" sweep small.conf --tables exact -o cells/small.db
  full report pages "$subdef" report cells/small.db -q -o pages
  full dump plain sh -c "mkdir -p plain && exec '$subdef' dump KRvK plain/KRvK.bin --tables exact"
  echo "ok: full disk at $tried places"
else
  echo "ok: no strace here; a full disk is not tried"
fi

# killed at any moment: what has its name is whole, and the same command then does the rest and removes what was left
for round in $(seq $rounds); do
  rm -rf killed
  setsid "$subdef" reformat --men 3 --metric wdl --codec repair --tables exact -o killed -q >out 2>err </dev/null &
  sleep 0.0$((round * 7 % 10))$((round % 10))
  kill -9 $! 2>/dev/null
  wait $! 2>/dev/null
  for file in $(find killed -name '*.sdt' 2>/dev/null); do
    "$subdef" verify --sums "$file" >out 2>err || fail "killed: $file is damaged"
  done
  "$subdef" reformat KQvK KRvK --force --metric wdl --codec repair --tables exact -o killed -q >out 2>err || fail "after a kill"
  [ -z "$(find killed -name 'KQvK*.tmp' -o -name 'KRvK*.tmp')" ] || fail "after a kill: $(ls killed)"
done
echo "ok: $rounds kills"

# files that shrink, vanish or change under a program that has opened them: an answer or a sentence for each line, and no signal
mkfifo lines
trap '' PIPE
for what in shrunk removed replaced; do
  rm -rf under && mkdir under && cp exact/*.sdt under/
  "$subdef" probe --tables under - <lines >out 2>err &
  probing=$!
  exec 9>lines
  echo '8/8/8/8/8/2k5/8/K6R w - - 0 1' >&9
  for i in 1 2 3 4 5 6 7 8 9 10; do [ -s out ] && break; sleep 0.1; done
  case $what in
    shrunk) for f in under/*.sdt; do : >"$f"; done ;;
    removed) rm under/*.sdt ;;
    replaced) for f in under/*.sdt; do dd if=/dev/urandom of="$f" bs=512 count=40 conv=notrunc 2>/dev/null; done ;;
  esac
  for fen in '8/8/8/8/4k3/8/2K5/Q7 b - - 0 1' '8/8/8/4k3/8/8/2K5/R7 w - - 0 1'; do
    echo "$fen" 2>/dev/null >&9 || break # it may have ended with its sentence
  done
  exec 9>&-
  wait $probing
  status=$?
  [ $status -le 1 ] || fail "$what under a probe: exit $status"
  [ $status -eq 0 ] || grep -qE '^subdef( probe)?: ' err || fail "$what under a probe: no word of it"
done
echo "ok: files changed under a probe"

# where nothing can be written (root may write everywhere but into /proc)
for command in "reformat KRvK --metric wdl --tables exact -q -o" "gen KQvK -q -o" "export --syzygy" "sweep small.conf --tables exact -o" ; do
  rest=
  case $command in export*) rest="KRvK -q --tables exact50" ;; esac
  timeout 60 "$subdef" $command /proc/none/x $rest >out 2>err </dev/null
  status=$?
  [ $status -eq 1 ] && [ "$(grep -c '^subdef.*/proc/none' err)" -eq 1 ] || fail "$command into a folder that cannot be: exit $status"
done
echo "ok: folders that cannot be written"

# numbers that are none, negative, huge: each option that takes something is told in one line that it is wrong, or works
odd=0
commands=$("$subdef" --help | sed -n 's/^  \([a-z]*\)  *[a-z].*/\1/p' | grep -v '^subdef$' | sort -u)
for command in $commands; do
  case $command in
    gen | serve) words="KQvK --estimate" ;;
    sweep) words="small.conf --dry-run" ;;
    report) words=cells/small.db ;;
    limits) words="KQvK --quick --tables exact" ;;
    bench) words="decode KQvK --metric dtm --tables exact" ;;
    simulate) words="KQvK --tables exact --ranks 4 --variants plain" ;;
    list) words="--tables exact" ;;
    *) words= ;;
  esac
  for option in $("$subdef" $command --help | sed -n 's/^ *\(-.,\)* *--\([a-z-]*\)=.*/\2/p'); do
    for value in -1 99999999999999999999 1e400 nan '' 0x -0.0 '%s%n' /; do
      case $option in output | syzygy) [ -n "$value" ] && continue ;; esac
      timeout 20 "$subdef" $command $words "--$option=$value" >out 2>err </dev/null
      status=$?
      odd=$((odd + 1))
      [ $status -le 2 ] || fail "$command --$option='$value': exit $status"
      [ $status -eq 0 ] || [ "$(grep -c '^subdef' err)" -eq 1 ] || fail "$command --$option='$value': exit $status, $(wc -l <err) lines"
    done
  done
done
echo "ok: $odd odd values of options"
echo "PASS: faults"
