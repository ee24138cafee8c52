#!/bin/sh
# Every codec and each value of each axis, one at a time, for results and distances: reformat restores every position of every table and
# compares it before the table gets its name, so a table that is there is right. Fails if a run is refused or a table is missing. With
# SD_LONG_TESTS=1 all 35 endings with 3 and 4 men in each run: hours. Else the five with 3 men for each codec, and one of them for each
# value of an axis. Arguments: only the runs whose options have all of these words.
set -u
tables=$SD_BUILDDIR/tests/tables
out=$SD_BUILDDIR/tests/codecs/all-codecs
subdef=$SD_BUILDDIR/tools/subdef
runs=0 failures=0
rm -rf "$out"
trap 'rm -rf "$out"' EXIT

wanted () {
  for word in $words; do
    case $1 in *"$word"*) ;; *) return 1 ;; esac
  done
}
# run METRIC OPTIONS...
run () {
  wanted "$*" || return 0
  runs=$((runs + 1))
  metric=$1
  shift
  case ${SD_LONG_TESTS:-0},$metric,$1,$# in
  1,*) what="--men 4" expected=35 ;;
  0,wdl,--codec,2) what="--men 3" expected=5 ;;
  0,wdl,*) what=KQvK expected=1 ;;
  *) what=KRvK expected=1 ;;
  esac
  message=$("$subdef" reformat $what --metric "$metric" --tables "$tables" -o "$out" -q "$@" 2>&1) \
    || { echo "FAIL $metric $*: $message"; failures=$((failures + 1)); }
  made=$(find "$out" -name "*.$metric.sdt" 2>/dev/null | wc -l)
  [ "$made" -eq $expected ] || { echo "FAIL $metric $*: $made tables, expected $expected"; failures=$((failures + 1)); }
  rm -rf "$out"
}
both () {
  run wdl "$@"
  run dtm "$@"
}

words=$*
"$subdef" reformat --set help >"$SD_BUILDDIR/tests/codecs/all-codecs.help" || exit 1
codecs=$(sed -n 's/^\([a-z0-9]*\): .*/\1/p' "$SD_BUILDDIR/tests/codecs/all-codecs.help")
initials=$(sed -n '/^initial replacements/,$s/^  \([a-z0-9]*\) .*/\1/p' "$SD_BUILDDIR/tests/codecs/all-codecs.help")
rm -f "$SD_BUILDDIR/tests/codecs/all-codecs.help"
for c in $(sed -n 's/^SD_CODEC(\([a-z0-9]*\), [0-9]*, \(ALWAYS\|OWN\))/\1/p' "$SD_SRCDIR/codecs/codecs.def"); do
  case " $(echo $codecs) " in *" $c "*) ;; *) echo "FAIL no codec $c"; failures=$((failures + 1)) ;; esac
done
for i in $(sed -n 's/^SD_INITIAL (\([a-z0-9]*\))/\1/p' "$SD_SRCDIR/subdef/initials.def"); do
  case " $(echo $initials) " in *" $i "*) ;; *) echo "FAIL no initial replacement $i"; failures=$((failures + 1)) ;; esac
done
[ "$(echo $codecs | wc -w)" -ge 7 ] && [ "$(echo $initials | wc -w)" -ge 11 ] || { echo "FAIL lists"; failures=$((failures + 1)); }

for c in $codecs; do
  both --codec "$c"
done
for set in entropy=rans entropy=rans,symbols=0 entropy=rans,maxlen=4 entropy=rans,parse=optimal,rounds=1 pair=exact pair=compatible \
  final=frequent parse=optimal,rounds=1,restarts=0 parse=optimal,rounds=0,sample=30000 block=16 block=65536 symbols=0 symbols=100 maxlen=4 min=20 maxcode=9; do
  both --set "$set"
done
run dtm --set parse=optimal,rounds=0,restarts=0,tries=all
for i in $initials; do
  case $i in
  constant) set="constant:0 constant:1" ;;
  edges | larger) set="$i:8" ;;
  *) set=$i ;;
  esac
  for one in $set; do
    both --set "initial=$one"
    [ "$one" = none ] || run wdl --codec rle --set "initial=$one" # rle completes what is free: none is refused there
  done
done
for c in $codecs; do
  case $c in
  zstd) both --codec zstd --set dict=4096,block=1024 ;;
  lzma | brotli | zlib | bzip2 | lz4) both --codec "$c" --set block=1024 ;;
  obdd)
    run dtm --codec obdd --set sums=yes,choices=256,pairs=256
    both --codec obdd --set nodes=edges
    both --codec obdd --set nodes=ideal
    both --codec obdd --sides joint
    both --codec obdd --set clusters=8,choices=64,pairs=64
    both --codec obdd --set polish=3,choices=64,pairs=64
    ;;
  esac
done
for f in none illegal capture promotion illegal+capture; do
  both --freedom $f
done
run dtm --freedom draw
run dtm --freedom all+won
run dtm --coding signed
for s in white black one joint; do
  both --sides $s
done
for n in z folded hilbert files z/rows; do
  both --numbering $n
done
echo "$runs runs, $failures failures"
[ "$runs" -gt 0 ] && [ "$failures" -eq 0 ]
