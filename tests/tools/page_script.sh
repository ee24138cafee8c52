#!/bin/sh
# The scripts of the pages of subdef serve, of reports and of the site are JavaScript, by node's parser; and, without any parser: one statement a line, comments on
# lines of their own, so that nothing stands behind one by accident, no line too long to be read. Without node only the latter.
set -u
source=$(cd "$SD_SRCDIR" && pwd)
folder=$source/tools/serve/page
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

# told FILE: what is wrong with it, a line each
told () {
  awk -v name="$(basename "$1")" '
    function say(what) { print "FAILED " name ":" FNR ": " what }
    length($0) > 120 { say("longer than 120 characters") }
    /[^ :].*\/\// && !/^ *\/\// && !/:\/\// { say("code and a comment") }
    /\/\*/ && !/^ *\/\* -+ [^*]* \*\/$|^ *\/\* -+ \*\/$/ { say("a comment that may hide code") }
    /; *[^ ]/ && !/^ *\/\// && !/for \(/ && !/[\047"`][^\047"`]*;/ { say("several statements") }
    /[{}] *return|\) return/ { say("a condition and its statement") }' "$1"
}

for f in "$folder"/*.js "$source"/experiments/report/page.js "$source"/docs/site/static/site.js; do
  told "$f"
done >"$work/told"
[ ! -s "$work/told" ] || { failed=1; cat "$work/told"; }
# it does find them
cat >"$work/bad.js" <<'BAD'
ep = f[3]; // the server says what is wrong half = +f[4];
a = 1; b = 2;
x = 1; /* y = 2; */
if (x) return 1;
BAD
[ "$(told "$work/bad.js" | wc -l)" -ge 4 ] || { failed=1; echo "FAILED: bad lines are not found: $(told "$work/bad.js")"; }

if node=$(command -v node || command -v nodejs); then
  for f in "$folder"/*.js "$source"/experiments/report/page.js "$source"/docs/site/static/site.js; do
    cp "$f" "$work/module.mjs"
    "$node" --check "$work/module.mjs" 2>"$work/err" || { failed=1; echo "FAILED $(basename "$f"):"; cat "$work/err"; }
  done
  # clocks are read and written, moves of all kinds are made
  cp "$folder/fen.js" "$work/fen.mjs"
  cat >"$work/fens.mjs" <<'JS'
import { play, readFen, writeFen } from './fen.mjs';
const faults = [];
const say = (got, want) => { if (got !== want) faults.push (`${got}, expected ${want}`); };
for (const fen of ['8/8/8/8/8/2k5/8/K6R w - - 90 60', 'r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1', '4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2'])
  say (writeFen (readFen (fen)), fen);
const after = (fen, uci) => writeFen (play (readFen (fen), uci));
say (after ('8/8/8/8/8/2k5/8/K6R w - - 90 60', 'h1d1'), '8/8/8/8/8/2k5/8/K2R4 b - - 91 60');
say (after ('r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 9', 'e1g1'), 'r3k2r/8/8/8/8/8/8/R4RK1 b kq - 4 9');
say (after ('r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 9', 'e8c8'), '2kr3r/8/8/8/8/8/8/R3K2R w KQ - 4 10');
say (after ('r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 9', 'h1h8'), 'r3k2R/8/8/8/8/8/8/R3K3 b Qq - 0 9');
say (after ('4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2', 'e5d6'), '4k3/8/3P4/8/8/8/8/4K3 b - - 0 2');
say (after ('4k3/8/8/8/8/8/4P3/4K3 w - - 7 2', 'e2e4'), '4k3/8/8/8/4P3/8/8/4K3 b - e3 0 2');
say (after ('4k3/8/8/8/8/8/p7/4K3 b - - 7 2', 'a2a1q'), '4k3/8/8/8/8/8/8/q3K3 w - - 0 3');
for (const text of ['', 'hello', '8/8/8/8/8/8/8', '9/8/8/8/8/8/8/8 w', '8/8/8/8/8/8/8/7 w', '8/8/8/8/8/8/8/8/8 w'])
  say (readFen (text), null);
console.log (faults.length ? `FAILED ${faults.join ('; ')}` : 'ok');
process.exit (faults.length ? 1 : 0);
JS
  "$node" "$work/fens.mjs" || failed=1
else
  echo "no node here: the parser is skipped"
fi
exit $failed
