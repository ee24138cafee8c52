#!/bin/sh
# Several sweeps on one store at once, as a user starts them: one is killed with -9 in the middle, the others finish; each
# cell has one row, equal to that of a sweep that nobody disturbed, and nothing claimed is left. Rounds with kills at
# other moments: 2, with SD_LONG_TESTS=1 20, and four times as many cells. Then three ranks under mpirun, and the four tasks
# of a job array, merged.
set -u
S=$SD_BUILDDIR/tools/subdef
dir=$(mktemp -d "${TMPDIR:-$SD_BUILDDIR}/claims-XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
fail () { echo "FAIL: $*"; exit 1; }

OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ASAN_OPTIONS=detect_leaks=0 \
  "$SD_BUILDDIR/tools/subdef-gen" KRvK -q -o tables > gen.log 2>&1 || { cat gen.log; fail "no table"; }
cat > sweep.conf <<'CONF'
groups = ( { name = "orders"; tables = "KRvK"; metric = ["wdl", "dtm"]; subdefinite = ["on", "off"]; order = "all";
             codec = ( "store", "repair", "rle", { name = "lzma"; block = [1024, 4096, 16384]; } ); },
           { name = "best"; tables = "KRvK"; order = "best-of:orders"; codec = ( "zlib", { name = "obdd"; rounds = 1; } ); } );
CONF
[ "${SD_LONG_TESTS:-0}" = 1 ] && {
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "$SD_BUILDDIR/tools/subdef-gen" KQvK KBvK KNvK KPvK -q -o tables > gen.log 2>&1
  sed -i 's/tables = "KRvK"; metric/tables = [ "KRvK", "KQvK", "KPvK", "KBvK" ]; metric/' sweep.conf
}
sweep () { "$S" sweep sweep.conf --tables tables -T 1 "$@"; }
rows () { "$S" report "$1" --quiet -o "$2" > /dev/null 2>&1; }

sweep -o alone.db 2> alone.txt || { cat alone.txt; fail "a sweep alone"; }
cells=$(sed -n 's/ cells: .*//p' alone.txt)
[ "$cells" -gt 200 ] || fail "$cells cells"
grep -q "^$cells cells: $cells computed, 0 there before, 0 failed, " alone.txt || fail "summary: $(cat alone.txt)"
sweep -o alone.db 2> again.txt || fail "again"
grep -q "^$cells cells: 0 computed, $cells there before, 0 failed, " again.txt || fail "summary: $(cat again.txt)"

# What a report shows of each cell, times aside; names of columns from the head
table () {
  rows "$1" "$1.report"
  sed 's/"[^"]*"/quoted/g' "$1.report/cells.csv" | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
           { print $column["group"], $column["metric"], $column["side"], $column["freedom"], $column["order"], $column["codec"],
             $column["block"], $column["bytes"], $column["payload_bytes"], $column["positions"] }' | sort
}
table alone.db > alone.rows
[ "$(wc -l < alone.rows)" = "$cells" ] || fail "$(wc -l < alone.rows) rows, not $cells"

computed () { sed -n 's/.* cells: \([0-9]*\) computed.*/\1/p' "$@" | awk '{ n += $1 } END { print n + 0 }'; }

# undisturbed, three at once: none computes what another does
rm -f many.db
for k in 1 2 3; do sweep -o many.db 2> many.$k & pids="${pids:-} $!"; done
for p in $pids; do wait "$p" || { cat many.?; fail "one of three"; }; done
[ "$(computed many.1 many.2 many.3)" = "$cells" ] || { cat many.?; fail "together $(computed many.1 many.2 many.3) of $cells"; }
table many.db > many.rows
cmp -s alone.rows many.rows || { diff alone.rows many.rows | head; fail "three at once"; }

rounds=2
[ "${SD_LONG_TESTS:-0}" = 1 ] && rounds=20
i=0
while [ $i -lt $rounds ]; do
  i=$((i + 1))
  rm -rf killed.db*
  # exec: what is killed is the program itself
  "$S" sweep sweep.conf --tables tables -T 2 -o killed.db 2> victim.txt & victim=$!
  tries=0
  while [ ! -s killed.db ] && [ $tries -lt 200 ]; do sleep 0.05; tries=$((tries + 1)); done
  sweep -o killed.db 2> other.1 & one=$!
  sweep -o killed.db 2> other.2 & two=$!
  sleep "$(awk -v i=$i 'BEGIN { print 0.1 + 0.3 * i }')"
  kill -9 $victim $(pgrep -P $victim 2> /dev/null) 2> /dev/null
  wait $victim 2> /dev/null
  wait $one || { cat other.1; fail "round $i: the first other"; }
  wait $two || { cat other.2; fail "round $i: the second other"; }
  table killed.db > killed.rows
  cmp -s alone.rows killed.rows || { diff alone.rows killed.rows | head; fail "round $i: rows differ"; }
  [ "$(computed other.1 other.2)" -le "$cells" ] || fail "round $i: cells were computed twice"
done

# what SWEEP.db has: each row of the sweep that nobody disturbed, once
same () {
  table "$1" > same.rows
  cmp -s alone.rows same.rows || { diff alone.rows same.rows | head; fail "$2: rows differ"; }
}
if command -v mpirun > /dev/null && grep -q 'define HAVE_MPI 1' "$SD_BUILDDIR/config.h"; then
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1; export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
  mpirun --oversubscribe -n 3 "$S" sweep sweep.conf --tables tables -T 1 -o ranks.db > ranks.txt 2>&1 || { cat ranks.txt; fail "three ranks"; }
  [ "$(grep -c ' cells: ' ranks.txt)" = 1 ] || { cat ranks.txt; fail "three ranks: one of them speaks"; }
  same ranks.db "three ranks"
  mpirun --oversubscribe -n 3 "$S" sweep sweep.conf --tables tables -T 1 -o own.db --separate > own.txt 2>&1 || { cat own.txt; fail "a store a rank"; }
  "$S" sweep --merge own-?-of-3.db -o own-all.db > merged.txt || fail "merging stores of ranks"
  same own-all.db "a store a rank"
fi
for task in 0 1 2 3; do
  SLURM_ARRAY_TASK_ID=$task SLURM_ARRAY_TASK_COUNT=4 sweep -o task-$task.db 2> task.$task & tasks="${tasks:-} $!"
done
for p in $tasks; do wait "$p" || { cat task.?; fail "a task of a job array"; }; done
"$S" sweep --merge task-?.db -o tasks.db > merged.txt || fail "merging stores of tasks"
same tasks.db "four tasks"
echo "ok: $cells cells, $rounds kills; three ranks, four tasks"
