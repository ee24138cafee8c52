#!/bin/sh
# Several sweeps on one store at once, as a user starts them, and sweeps that are killed with -9: each ends with the rows of
# one undisturbed run, times aside, each cell once, and nothing claimed is left. Three at once; one killed while two others go
# on; one alone that is killed at random moments and started again until it ends; three ranks under mpirun; the four tasks of
# a job array, merged. A few hundred cells and kills; with SD_LONG_TESTS=1 more than 1,000 cells and 20 kills of each kind.
# SD_SEED=N repeats the moments of a run, whose last line names its N.
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
             codec = ( "store", "repair", "rle", { name = "huffman"; block = [64, 256]; }, { name = "lzma"; block = [4096]; } ); },
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

# All that a report has of each cell but times, the run, and where in the file it stands
table () {
  rm -rf "$1.report"
  rows "$1" "$1.report"
  awk -F'"' '{ line = ""; for (i = 1; i <= NF; i++) { if (i % 2 == 0) gsub (",", ";", $i); line = line $i } print line }' "$1.report/cells.csv" |
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i !~ /^(finished|id|run|threads|busy_cores|encode_.*|decode_.*|repeat_s|coding_busy_cores|prepare_s|check_s|timing_s|get_.*|probe_.*)$/) { if ($i == "started") break; keep[++n] = i } next }
             { for (k = 1; k <= n; k++) printf "%s ", $keep[k]; print "" }' | sort
}
table alone.db > alone.rows
grep -q 'KRvK.*lzma' alone.rows || fail "no columns: $(head -n 1 alone.rows)"
[ "$(wc -l < alone.rows)" = "$cells" ] || fail "$(wc -l < alone.rows) rows, not $cells"

computed () { sed -n 's/.* cells: \([0-9]*\) computed.*/\1/p' "$@" | awk '{ n += $1 } END { print n + 0 }'; }

# undisturbed, three at once: none computes what another does
rm -f many.db
for k in 1 2 3; do sweep -o many.db 2> many.$k & pids="${pids:-} $!"; done
for p in $pids; do wait "$p" || { cat many.?; fail "one of three"; }; done
[ "$(computed many.1 many.2 many.3)" = "$cells" ] || { cat many.?; fail "together $(computed many.1 many.2 many.3) of $cells"; }
table many.db > many.rows
cmp -s alone.rows many.rows || { diff alone.rows many.rows | head; fail "three at once"; }

# what SWEEP.db has: each row of the sweep that nobody disturbed, once
same () {
  table "$1" > same.rows
  cmp -s alone.rows same.rows || { diff alone.rows same.rows | head; fail "$2: rows differ"; }
}

[ "${SD_LONG_TESTS:-0}" != 1 ] || [ "$cells" -ge 1000 ] || fail "$cells cells, not 1,000"
seed=${SD_SEED:-$$}
moment () { # the N-th random number, from 0.1 to 0.9 seconds
  awk -v seed="$seed" -v n="$1" 'BEGIN { srand (seed * 1000 + n); print 0.1 + 0.8 * rand () }'
}

rounds=2
[ "${SD_LONG_TESTS:-0}" = 1 ] && rounds=20
i=0
while [ $i -lt $rounds ]; do
  i=$((i + 1))
  rm -rf killed.db*
  # no function of the shell: what is killed is the program itself
  "$S" sweep sweep.conf --tables tables -T 2 -o killed.db 2> victim.txt & victim=$!
  tries=0
  while [ ! -s killed.db ] && [ $tries -lt 200 ]; do sleep 0.05; tries=$((tries + 1)); done
  sweep -o killed.db 2> other.1 & one=$!
  sweep -o killed.db 2> other.2 & two=$!
  sleep "$(moment $((1000 + i)))"
  kill -9 $victim $(pgrep -P $victim 2> /dev/null) 2> /dev/null
  wait $victim 2> /dev/null
  wait $one || { cat other.1; fail "round $i: the first other"; }
  wait $two || { cat other.2; fail "round $i: the second other"; }
  same killed.db "round $i"
  [ "$(computed other.1 other.2)" -le "$cells" ] || fail "round $i: cells were computed twice"
done

# alone, killed at random moments, started again; a sweep that ends before the last kill is compared, and another one begins
kills=0
starts=0
while [ $kills -lt $rounds ]; do
  rm -rf again.db*
  ended=0
  while [ $ended = 0 ]; do
    starts=$((starts + 1))
    "$S" sweep sweep.conf --tables tables -T 2 -o again.db 2> again.txt & victim=$!
    if [ $kills -lt $rounds ]; then
      sleep "$(moment $starts)"
      kill -9 $victim 2> /dev/null
    fi
    wait $victim 2> /dev/null
    case $? in
    0) ended=1 ;;
    137) kills=$((kills + 1)) ;;
    *) cat again.txt; fail "start $starts (SD_SEED=$seed)" ;;
    esac
  done
  same again.db "$kills kills (SD_SEED=$seed)"
done

if command -v mpirun > /dev/null && grep -q 'define HAVE_MPI 1' "$SD_BUILDDIR/config.h"; then
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1; export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
  mpirun --oversubscribe -n 3 "$S" sweep sweep.conf --tables tables -T 1 -o ranks.db > ranks.txt 2>&1 || { cat ranks.txt; fail "three ranks"; }
  [ "$(grep -c ' cells: ' ranks.txt)" = 1 ] || { cat ranks.txt; fail "three ranks: one of them speaks"; }
  same ranks.db "three ranks"
  mpirun --oversubscribe -n 3 "$S" sweep sweep.conf --tables tables -T 1 -o own.db --separate > own.txt 2>&1 || { cat own.txt; fail "a store a rank"; }
  "$S" sweep --merge own-?-of-3.db -o own-all.db > merged.txt || fail "merging stores of ranks"
  same own-all.db "a store a rank"
fi
# how srun writes that several tasks are on a node: the cores are shared out (the run remembers the workers)
jobs () { # TEXT
  rm -f node.db
  SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=1000 SLURM_STEP_TASKS_PER_NODE=$1 "$S" sweep sweep.conf --tables tables --only best --dry-run |
    sed -n 's/.* of work for \([0-9]*\) at a time.*/\1/p'
}
[ "$(jobs '999(x2)')" = 1 ] && [ "$(jobs '1,999')" = 1 ] || fail "tasks of a node: $(jobs '999(x2)') $(jobs '1,999')"
SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_COUNT=1 SLURM_ARRAY_TASK_MIN=3 "$S" sweep sweep.conf --tables tables --dry-run > /dev/null 2> again.txt
grep -q 'needs --part' again.txt || fail "one task of an array that is submitted again: $(cat again.txt)"
OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=3 "$S" sweep sweep.conf --tables tables --separate --dry-run > again.txt 2>&1 || { cat again.txt; fail "--separate --dry-run"; }
for task in 0 1 2 3; do
  SLURM_ARRAY_TASK_ID=$task SLURM_ARRAY_TASK_COUNT=4 sweep -o task-$task.db 2> task.$task & tasks="${tasks:-} $!"
done
for p in $tasks; do wait "$p" || { cat task.?; fail "a task of a job array"; }; done
"$S" sweep --merge task-?.db -o tasks.db > merged.txt || fail "merging stores of tasks"
same tasks.db "four tasks"
echo "ok: $cells cells, $rounds kills beside others, $kills kills alone in $starts starts (SD_SEED=$seed); three ranks, four tasks"
