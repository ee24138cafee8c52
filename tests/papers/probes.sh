#!/bin/sh
# papers/probes: the program that compares our probes with Fathom's compiles, finds no difference where there is none and each one where
# there are some. In Fathom's place stands a prober of ours that can lie.
source=$(cd "${SD_SRCDIR:-.}" && pwd)
build=$(cd "${SD_BUILDDIR:-.}" && pwd)
papers=$source/papers
[ -f "$build/.libs/libsubdef-probe.a" ] || exit 77
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
failures=0
fail () {
  echo "FAIL: $1"
  failures=$((failures + 1))
}

mkdir -p "$work/fathom/src"
cat >"$work/fathom/src/tbprobe.h" <<'END'
#include <stdbool.h>
#include <stdint.h>
enum { TB_LOSS, TB_BLESSED_LOSS, TB_DRAW, TB_CURSED_WIN, TB_WIN };
#define TB_RESULT_FAILED 0xffffffffu
extern unsigned TB_LARGEST;
bool tb_init (const char *path);
void tb_free (void);
unsigned tb_probe_wdl (uint64_t white, uint64_t black, uint64_t kings, uint64_t queens, uint64_t rooks, uint64_t bishops,
                       uint64_t knights, uint64_t pawns, unsigned rule50, unsigned castling, unsigned ep, bool turn);
END
cat >"$work/fathom/src/tbprobe.c" <<'END'
#include "tbprobe.h"
#include <stdlib.h>
#include <subdef/probe.h>
unsigned TB_LARGEST;
static sd_prober *prober;
static bool lies;
bool tb_init (const char *path) {
  lies = getenv ("LIES");
  TB_LARGEST = 3;
  return sd_prober_open (path, 0, &prober, NULL, 0) == SD_PROBER_OK;
}
void tb_free (void) {
  sd_prober_close (prober);
}
unsigned tb_probe_wdl (uint64_t white, uint64_t black, uint64_t kings, uint64_t queens, uint64_t rooks, uint64_t bishops,
                       uint64_t knights, uint64_t pawns, unsigned rule50, unsigned castling, unsigned ep, bool turn) {
  const sd_prober_position p = { white, black, kings, queens, rooks, bishops, knights, pawns, (uint8_t) ep, 0, !turn };
  int wdl;
  (void) rule50;
  (void) castling;
  if (sd_prober_wdl (prober, &p, &wdl) != SD_PROBER_OK)
    return TB_RESULT_FAILED;
  if (wdl > 0 && lies && (kings & 0xff)) /* some wins, with a king on the first rank */
    return TB_DRAW;
  return wdl > 0 ? TB_CURSED_WIN : wdl < 0 ? TB_LOSS : TB_DRAW;
}
END
"$build/tools/subdef-gen" KPvK -q -o "$work/tables" >"$work/out" 2>&1 || fail "subdef-gen: $(cat "$work/out")"
for codec in repair obdd; do
  "$build/tools/subdef" reformat KPvK --codec $codec --with-successors --tables "$work/tables" -o "$work/$codec" -q || fail "reformat: exit $?"
done
compare () {
  sh "$papers/probes/run.sh" -f "$work/fathom" -s "$work/repair" -b "$build" -S "$source" -o "$work/$1" -n 1000 \
    "repair=$work/repair" "obdd=$work/obdd" KPvK KQvK 2>"$work/err"
}
compare a.csv || fail "run.sh: exit $?: $(cat "$work/err")"
[ "$(cut -d, -f1-3,5 "$work/a.csv" | tr '\n' ' ')" = "ending,tables,positions,differ KPvK,repair,1000,0 KPvK,obdd,1000,0 KQvK,repair,1000,0 KQvK,obdd,1000,0 " ] \
  || fail "run.sh: $(cat "$work/a.csv")"
sed 1q "$work/a.csv" | cmp -s - "$(sed 1q "$papers/probes/fathom.csv" >"$work/head"; echo "$work/head")" || fail "other columns than those of fathom.csv"
export LIES=1
compare b.csv && fail "values that differ go unnoticed"
unset LIES
[ "$(cut -d, -f5 "$work/b.csv" | grep -c '[1-9]')" -eq 4 ] || fail "values that differ are not counted: $(cat "$work/b.csv")"
sh "$papers/probes/run.sh" -f "$work/fathom" -s "$work/repair" -b "$build" -S "$source" -o "$work/c.csv" "repair=$work/repair" KBvKN 2>"$work/err" \
  && fail "a missing table goes unnoticed"
[ ! -f "$work/c.csv" ] && grep -q KBvKN "$work/err" || fail "a missing table: $(cat "$work/err")"

# A compiler that fails is no value that differs.
(CC=false && export CC && compare e.csv)
[ $? -eq 2 ] || fail "a compiler that fails: not exit 2"

# All calls of Fathom's interface under the 50-move rule: in Fathom's place stands fathom.h itself, which can lie about each of them.
mkdir -p "$work/ranked/src"
cat >"$work/ranked/src/tbprobe.h" <<'END'
#ifndef TBPROBE_H
#define TBPROBE_H
#define tb_init their_init
#define tb_free their_free
#define TB_LARGEST their_largest
#define subdef_fathom_prober their_prober
#include <stdlib.h>
#include <string.h>
#include <subdef/fathom.h>
static inline bool lies (const char *about) {
  const char *what = getenv ("LIES");
  return what && strcmp (what, about) == 0;
}
#define WORDS uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f, uint64_t g, uint64_t h, unsigned i, unsigned j, unsigned k, bool l
#define GIVEN a, b, c, d, e, f, g, h, i, j, k, l
static inline unsigned lying_wdl (WORDS) {
  return tb_probe_wdl (GIVEN) ^ (lies ("wdl") ? 1 : 0);
}
static inline unsigned lying_root (WORDS, unsigned *results) {
  const unsigned r = tb_probe_root (GIVEN, results);
  if (lies ("moves") && results[0] != TB_RESULT_FAILED)
    results[0] = TB_SET_EP (results[0], 1);
  return lies ("root") ? TB_SET_DTZ (r, 7) : r;
}
static inline int lying_dtz (WORDS, bool repeated, bool ruled, struct TbRootMoves *m) {
  const int fine = tb_probe_root_dtz (GIVEN, repeated, ruled, m);
  m->moves[0].tbRank += lies ("dtz_ranks");
  return fine;
}
static inline int lying_root_wdl (WORDS, bool ruled, struct TbRootMoves *m) {
  const int fine = tb_probe_root_wdl (GIVEN, ruled, m);
  m->moves[0].tbScore += lies ("wdl_ranks");
  return fine;
}
#define tb_probe_wdl lying_wdl
#define tb_probe_root lying_root
#define tb_probe_root_dtz lying_dtz
#define tb_probe_root_wdl lying_root_wdl
#endif
END
echo '#include "tbprobe.h"' >"$work/ranked/src/tbprobe.c"
rank () {
  sh "$papers/probes/run.sh" -v -f "$work/ranked" -s "$source/tests/golden/syzygy" -b "$build" -S "$source" -o "$work/$1" -n 200 \
    "syzygy=$source/tests/golden/syzygy" KPvK KRvKR "both=$source/tests/golden/rule:$source/tests/golden/syzygy" KQvK 2>"$work/err"
}
rank r.csv || fail "run.sh -v: exit $?: $(cat "$work/err")"
[ "$(cut -d, -f1-3,5-9 "$work/r.csv" | tail -n +2 | tr '\n' ' ')" = "KPvK,syzygy,200,0,0,0,0,0 KRvKR,syzygy,200,0,0,0,0,0 KQvK,both,200,0,0,0,0,0 " ] \
  || fail "run.sh -v: $(cat "$work/r.csv")"
sed 1q "$work/r.csv" | cmp -s - "$(sed 1q "$papers/probes/rules.csv" >"$work/head"; echo "$work/head")" || fail "other columns than those of rules.csv"
column=5
for about in wdl root moves dtz_ranks wdl_ranks; do
  LIES=$about rank l.csv && fail "run.sh -v does not notice other $about"
  [ "$(cut -d, -f$column "$work/l.csv" | grep -c '[1-9]')" -ge 2 ] || fail "other $about are not counted: $(cat "$work/l.csv")"
  column=$((column + 1))
done

# What opening takes, and memory: all files counted, and memory that probes add.
sh "$papers/probes/run.sh" -m -f "$work/fathom" -s "$work/repair" -b "$build" -S "$source" -o "$work/m.csv" -n 100 \
  "repair=$work/repair" "obdd=$work/obdd" KPvK KQvK 2>"$work/err" && fail "run.sh -m: a folder without Syzygy files goes unnoticed"
: >"$work/repair/KPvK.rtbw"
sh "$papers/probes/run.sh" -m -f "$work/fathom" -s "$work/repair" -b "$build" -S "$source" -o "$work/m.csv" -n 100 \
  "repair=$work/repair" "obdd=$work/obdd" KPvK KQvK 2>"$work/err" || fail "run.sh -m: exit $?: $(cat "$work/err")"
rm "$work/repair/KPvK.rtbw"
awk -F, 'NR > 1 && ($2 < 1 || $4 <= 0 || $4 > 1000 || $6 != 200 || $7 + 0 < $5 + 0) { exit 1 } END { exit NR != 4 }' "$work/m.csv" \
  || fail "run.sh -m: $(cat "$work/m.csv")"
sed 1q "$work/m.csv" | cmp -s - "$(sed 1q "$papers/probes/memory.csv" >"$work/head"; echo "$work/head")" || fail "other columns than those of memory.csv"

# One by one and in batches: a row for each list of tables, its bytes, and shares.
together () {
  sh "$papers/probes/run.sh" -t -f "$work/fathom" -s "$work/repair" -b "$build" -S "$source" -o "$work/t.csv" -n 200 \
    "repair=$work/repair" "obdd=$work/obdd" KPvK KQvK 2>"$work/err"
}
together || fail "run.sh -t: exit $?: $(cat "$work/err")"
bytes=$(wc -c <"$work/repair/KPvK.wdl.sdt")
awk -F, -v bytes="$bytes" 'NR == 2 && $3 != bytes || NR > 1 && ($4 != 200 || $6 <= 0 || $7 <= 0) { exit 1 } END { exit NR != 5 }' "$work/t.csv" \
  || fail "run.sh -t: $(cat "$work/t.csv")"
sed 1q "$work/t.csv" | cmp -s - "$(sed 1q "$papers/probes/together.csv" >"$work/head"; echo "$work/head")" || fail "other columns than those of together.csv"
export LIES=1
together && fail "run.sh -t: values that differ go unnoticed"
unset LIES
grep -q 'a value differs' "$work/err" || fail "run.sh -t: $(cat "$work/err")"

# What a probe reads: three things of each of the three, two lists of tables opened in two ways. In names with
# blanks, and with fewer descriptors than there are files.
mkdir -p "$work/with blanks/more"
ln -s "$build" "$work/with blanks/build"
i=0
while [ $i -lt 40 ]; do
  echo $i >"$work/with blanks/more/$i"
  i=$((i + 1))
done
many=10
cold () {
  (
    TMPDIR="$work/with blanks" && export TMPDIR
    # shellcheck disable=SC3045
    ulimit -n 32
    sh "$papers/probes/run.sh" -c -f "$work/fathom" -s "$work/repair" -b "$work/with blanks/build" -S "$source" \
      -o "$work/$1" -n "$many" "$2" "obdd=$work/obdd" KQvK 2>"$work/err"
  )
}
refused () { # what cold says of the second argument
  cold none.csv "$2" && fail "run.sh -c: $1 goes unnoticed"
  [ ! -f "$work/none.csv" ] && [ "$(grep -vc 'stay in memory' "$work/err")" -eq 1 ] && grep -q "$3" "$work/err" \
    || fail "run.sh -c: $1: $(cat "$work/err")"
}
pages () { # of the files of folders
  find "$@" -type f -exec wc -c {} \; \
    | awk -v page="$(getconf PAGESIZE)" '{ n += int(($1 + page - 1) / page) } END { print n + 0 }'
}
if ! cold d.csv "repair=$work/repair:$work/with blanks/more:$work/repair" \
  && grep -q -e '^/proc/self/io: ' -e 'which pages are in memory is told only' "$work/err"; then
  echo "what probes read cannot be told here: $(cat "$work/err")"
else
  [ "$(grep -c '^KQvK,.*,10,' "$work/d.csv")" -eq 15 ] || fail "run.sh -c: $(cat "$work/err" "$work/d.csv")"
  sed 1q "$work/d.csv" | cmp -s - "$(sed 1q "$papers/probes/cold.csv" >"$work/head"; echo "$work/head")" || fail "other columns than those of cold.csv"
  # No more pages are counted than the files have. Opening reads the headers, mapped or not, and the first probe the
  # tables that it needs. On other file systems than these, files may stay in memory or bytes not be counted.
  case $(stat -f -c %T "$work") in
    ext2/ext3 | xfs | btrfs) lenient=0 ;;
    *) lenient=1 ;;
  esac
  awk -F, -v lenient="$lenient" -v repair="$(pages "$work/repair")" -v obdd="$(pages "$work/obdd")" '
    NR == 1 { next }
    { most = $2 == "obdd" ? obdd : repair }
    NF != 10 || $6 <= 0 || $7 < $6 || $8 < 0 || $9 < 0 || $9 > most || $10 < 0 { print "wrong: " $0 }
    !lenient && $4 == "opening" && $2 != "syzygy" && ($9 == 0 || $10 <= 0) { print "nothing read: " $0 }
    !lenient && $4 == "opening" && $3 ~ /^mapped/ && $2 != "syzygy" && $8 == 0 { print "no faults: " $0 }
    !lenient && $4 == "first" && $2 != "syzygy" && $10 <= 0 { print "nothing read: " $0 }' "$work/d.csv" >"$work/wrong"
  [ -s "$work/wrong" ] && fail "run.sh -c: $(cat "$work/wrong")"
  refused "a missing folder" "repair=$work/repair:$work/nowhere" "^$work/nowhere: "
  ln -s nothing "$work/with blanks/more/link"
  refused "a file that cannot be opened" "repair=$work/with blanks/more:$work/repair" "/more/link: "
  many=100
  export LIES=1
  refused "a value that differs" "repair=$work/repair" 'another value'
  unset LIES
fi

[ $failures -eq 0 ] && echo "papers/probes: compared with a prober in Fathom's place"
exit $failures
