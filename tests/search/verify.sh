#!/bin/sh
# subdef verify --search: right tables pass, each falsified value is found, what cannot be proved is said; bench search counts.
build=${SD_BUILDDIR:-.} source=$(cd "${SD_SRCDIR:-.}" && pwd)
subdef=$build/tools/subdef helper=$build/tests/tools/cli_helper
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
failures=0
fail () {
  echo "FAIL: $1"
  failures=$((failures + 1))
}
cd "$work" || exit 99
case $subdef in /*) ;; *) echo "SD_BUILDDIR must be a full path"; exit 99 ;; esac
"$build/tools/subdef-gen" KQvKR KRvKP -q -o t >/dev/null || fail "subdef-gen: exit $?"
"$subdef" reformat KQvKR --tables t -o w -q >/dev/null || fail "reformat: exit $?"

"$subdef" verify --search 40 --moves 4 KQvKR KRvKP --tables t >out 2>err || fail "right tables: $(cat err)"
grep -q '^t/KQvKR.dtm.sdt: ok: 40 mates of at most 4 moves searched for and found; [1-9][0-9]* drawn, without a mate within 8 plies; [1-9][0-9]* longer mates skipped$' out \
  || fail "KQvKR: $(cat out)"
grep -q '^t/KRvKP.dtm.sdt: ok: 40 mates ' out || fail "KRvKP: $(cat out)"
cp out first
OMP_NUM_THREADS=1 "$subdef" verify --search 40 --moves 4 KQvKR KRvKP --tables t >out 2>err
cmp -s out first || fail "another number of threads says otherwise: $(cat out)"
"$subdef" verify --search 40 --moves 4 --seed 2 KQvKR --tables t >out 2>err || fail "--seed: $(cat err)"
grep -qxF -e "$(head -1 first)" out && fail "--seed 2 samples the same"
"$subdef" verify --search 300 --moves 3 w/KQvKR.wdl.sdt --tables w:t >out 2>err || fail "WDL: $(cat err)"
grep -q 'ok: [1-9][0-9]* mates .* drawn, .* won or lost, undecided within 6 plies$' out || fail "WDL: $(cat out)"
# more samples than there are
"$subdef" verify --search 100000 --moves 1 t/KRvK.dtm.sdt >out 2>err || fail "KRvK whole: $(cat err)"
grep -q 'ok: [1-9][0-9]* mates' out || fail "KRvK whole: $(cat out)"

# falsified KQvKR dtm 100: each position that is named is found; all are among the wrong ones
for job in 'KQvKR dtm 12' 'KRvKP dtm 12' 'KRvKP wdl 9'; do
  set -- $job
  mkdir -p "wrong/$1.$2"
  "$helper" falsify t "$1" "$2" "wrong/$1.$2/$1.$2.sdt" 100 7 "$3" >fens || fail "cli_helper $job: exit $?"
  [ "$(sort -u fens | wc -l)" -eq 100 ] || fail "$job: $(sort -u fens | wc -l) falsified positions"
  "$subdef" verify --positions fens --moves 6 "wrong/$1.$2/$1.$2.sdt" --tables t >out 2>err
  [ $? -eq 1 ] || fail "$job: exit $?"
  while read -r fen; do
    grep -q "^subdef verify: wrong value: $fen.*: the table says .*, the search found " err || echo "$fen"
  done <fens >lost
  [ ! -s lost ] || fail "$job: not found: $(head -3 lost)"
  grep -q "^subdef verify: wrong/$1.$2/$1.$2.sdt: 100 of 100 values that were searched are wrong$" err || fail "$job: $(tail -1 err)"
  [ ! -s out ] || fail "$job: $(cat out)"
  # the right table gives the same positions right
  [ "$2" = wdl ] || "$subdef" verify --positions fens --moves 6 "t/$1.dtm.sdt" >out 2>err || fail "$job, right: $(head -3 err)"
done

# wrong use
says () {
  pattern=$1 expected=$2
  shift 2
  "$subdef" verify "$@" >out 2>err
  [ $? -eq "$expected" ] || fail "verify $*: not exit $expected"
  [ "$(wc -l <err)" -eq 1 ] || fail "verify $*: $(cat err)"
  grep -q -e "$pattern" err || fail "verify $*: $(cat err)"
}
says '--search 0: expected a number from 1' 2 --search 0 t/KRvK.dtm.sdt
says '--moves 101: expected a number from 1 to 100' 2 --search 1 --moves 101 t/KRvK.dtm.sdt
says 'no file of that name' 1 --search 1 KBvK --tables w
says 'cannot be read' 1 --positions nowhere t/KRvK.dtm.sdt
says '--sums' 2 --sums --search 5 t/KRvK.dtm.sdt
says '--moves.*--search' 2 --moves 5 t/KRvK.dtm.sdt
echo '# nothing' >other
says 'other: expected a FEN a line, and it has none' 1 --positions other t/KRvK.dtm.sdt
says 'segments.sda: expected a table of chess, for --search: it holds an array' 1 --search 5 "$source/tests/data/segments.sda"
says 'segments.sda: expected a table of chess, for --published' 1 --published "$source/tests/data/segments.sda"
echo '8/8/8/8/8/1K6/2Q5/k7 w - -' >other
says "other:1: .*is no position of KRvK" 1 --positions other t/KRvK.dtm.sdt
echo 'nonsense' >other
says 'other:1: .*FEN' 1 --positions other t/KRvK.dtm.sdt

# what is measured: false matches of short codes, policies, depth
"$subdef" bench search codes KQvK --nodes 200000 --tables t >codes || fail "bench search codes: exit $?"
awk -F, 'NR > 1 && $3 == 8 { few = $11 > 0 && $11 < 3 * $12 && $12 < 3 * $11; uses = $13 <= $11 }
  NR > 1 && $3 == 64 { none = $11 == 0 && $14 == 0 && $5 == 16 } END { exit !(NR == 10 && few && uses && none) }' codes || fail "bench search codes: $(cat codes)"
"$subdef" bench search depth --nodes 20000 '8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - -' >depth || fail "bench search depth: exit $?"
awk -F, '$3 == "no" { plain = $4 } $3 == "yes" { table = $4 } END { exit !(plain >= 6 && table > 1.5 * plain) }' depth || fail "bench search depth: $(cat depth)"
"$subdef" bench search nothing KQvK 2>err && fail "bench search nothing: exit 0"
exit $((failures > 0))
