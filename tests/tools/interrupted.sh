#!/bin/sh
# A sweep with two workers on a terminal: its bar never falls; Ctrl-C leaves a line that says what is kept; the same command goes on.
# --status, in words and as JSON, knows the same.
set -u
S=$SD_BUILDDIR/tools/subdef
command -v script >/dev/null || exit 77 # a pseudo-terminal
dir=$(mktemp -d "${TMPDIR:-$SD_BUILDDIR}/interrupted-XXXXXX") || exit 99
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 99
fail () { echo "FAIL: $*"; exit 1; }

OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ASAN_OPTIONS=detect_leaks=0 \
  "$SD_BUILDDIR/tools/subdef-gen" KRvK -q -o t >gen.log 2>&1 || { cat gen.log; fail "no table"; }
# the cheap cells first
cat >s.conf <<'CONF'
groups = ( { name = "cheap"; tables = "KRvK"; metric = ["wdl", "dtm"]; order = "all"; codec = ( "store", "rle", "huffman" ); },
           { name = "dear"; tables = "KRvK"; metric = ["wdl", "dtm"]; order = "all"; subdefinite = ["on", "off"];
             codec = ( "trees", { name = "trees"; trees = [8, 16, 24, 32]; leaves = [100, 200, 300, 400, 600, 700, 800, 900, 1000]; } ); } );
CONF
cells=$("$S" sweep s.conf --tables t --dry-run | sed -n 's/^# \([0-9]*\) cells.*/\1/p')
[ "${cells:-0}" -gt 100 ] || fail "$cells cells"

: >typed
bars () { tr '\r' '\n' <typed | grep -ac '%'; }
# in the foreground, and so if this script is in the background: shells let what runs there ignore Ctrl-C
{
  tries=0
  while [ "$(bars)" -lt 7 ] && [ $tries -lt 600 ]; do sleep 0.1; tries=$((tries + 1)); done
  "$S" sweep s.conf --tables t -o s.db --status >status 2>err
  printf '\003'
} | env --default-signal=INT script -qefc "'$S' sweep s.conf --tables t -T 2 -o s.db" typed >/dev/null 2>&1
grep -q '^1 sweep is at work: process ' status || fail "status: $(cat status)"
tr '\r' '\n' <typed | sed -n 's/.*\] *\([0-9]*\) %.*/\1/p' >shares
[ "$(wc -l <shares)" -ge 5 ] || fail "no bar: $(cat typed)"
sort -n shares | cmp -s - shares || fail "the bar falls: $(tr '\n' ' ' <shares)"
# on a terminal of 80 columns the count of cells is whole
tr '\r' '\n' <typed | grep -a '%' | sed 's/\x1b\[K//g' | grep -av " [0-9]* of $cells\(\$\| \)" | grep -a ' of ' && fail "a number is cut off"
# a time is told with "about", or not at all
tr '\r' '\n' <typed | grep ' left' | grep -v 'about .* left' && fail "a time"
stored=$(tr '\r' '\n' <typed | sed -n "s/.*[^0-9]\([0-9]*\) of $cells cells are stored; the same command goes on.*/\1/p")
[ -n "$stored" ] && [ "$stored" -gt 0 ] && [ "$stored" -lt "$cells" ] || fail "Ctrl-C: $(tail -c 300 typed)"

tries=0 # until the system knows that it is dead
while "$S" sweep s.conf --tables t -o s.db --status 2>/dev/null | grep -q ' at work: ' && [ $tries -lt 100 ]; do sleep 0.1; tries=$((tries + 1)); done
"$S" sweep s.conf --tables t -o s.db --status --json 2>err >status.json || fail "--json"
done=$(sed -n 's/.*"all": {[^}]*"done": \([0-9]*\).*/\1/p' status.json)
[ "$done" -ge "$stored" ] || fail "$stored are said to be stored, $done are: $(cat status.json)"
grep -q '"sweeps_at_work": 0' status.json && grep -q '"time_left_s": null' status.json || fail "$(cat status.json)"
grep -q "\"cells\": $cells" status.json || fail "$(cat status.json)"
"$S" sweep s.conf --tables t -T 2 -o s.db --only cheap 2>err || fail "again: $(cat err)"
grep -q " 0 failed" err || fail "$(cat err)"
# not on a terminal, by another signal
"$S" sweep s.conf --tables t -T 2 -o s.db 2>err & pid=$!
tries=0
while ! "$S" sweep s.conf --tables t -o s.db --status 2>/dev/null | grep -q ' at work: ' && [ $tries -lt 100 ]; do sleep 0.1; tries=$((tries + 1)); done
sleep 0.3
kill -TERM $pid
wait $pid
[ $? = 143 ] || fail "SIGTERM: another status"
grep -q "^[0-9]* of $cells cells are stored; the same command goes on$" err || fail "SIGTERM: $(cat err)"
