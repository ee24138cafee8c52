#!/bin/sh
# The page of subdef serve in a browser (headless Chromium), at the width of a phone and of a desk, in light and dark: a position is shown
# with its moves, best line and places in tables; moves are played by click, by keys and by drag; positions are set up; clocks that are
# typed count; what is not known is said, and a text that is no position leaves nothing of the one before; everything has a name; nothing
# is wider than the page or written to the console; letters can be told from the paper; the list of tables and their values.
# Without Chromium or python3: exit 77.
set -u
subdef=$SD_BUILDDIR/tools/subdef source=$(cd "$SD_SRCDIR" && pwd)
grep -q '^#define HAVE_MICROHTTPD 1' "$SD_BUILDDIR/config.h" || { echo "no HTTP in this build"; exit 77; }
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || { echo "no Chromium here"; exit 77; }
python=$(command -v python3) || { echo "no python3 here"; exit 77; }
work=$(mktemp -d "$SD_BUILDDIR/page-XXXXXX") || exit 1
server='' proxy=''
trap 'for p in $server $proxy; do kill $p 2>/dev/null; done; rm -rf "$work"' EXIT
cd "$work" || exit 1
gen () {
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ASAN_OPTIONS=detect_leaks=0 "$SD_BUILDDIR/tools/subdef-gen" "$@" -q >gen.txt 2>&1 ||
    { cat gen.txt; exit 1; }
}
gen KPvK -o t
gen KRvK --metric dtz50 -o rule
"$subdef" reformat KPvK KQvK KRvK --metric wdl --codec repair --tables t -o w -q || exit 1
wait_for () { for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25; do [ -s "$1" ] && return; sleep 0.2; done; }
"$subdef" serve --tables w:t:rule --port 0 >url 2>err &
server=$!
wait_for url

# what is asked of the page, inside of it; the answer is a line of words
cat >ask.js <<'ASK'
<script type="module">
import { $ } from './dom.js';
import { squareOf } from './fen.js';
const faults = [], say = (ok, what) => { if (!ok) faults.push (what); };
addEventListener ('error', e => faults.push ('error: ' + e.message));
addEventListener ('unhandledrejection', e => faults.push ('error: ' + e.reason));
const all = (s, of) => [...(of || document).querySelectorAll (s)];
const until = async (what, is) => { for (let i = 0; i < 400; i++) { if (is ()) return; await new Promise (r => setTimeout (r, 20)); } say (false, what + ' does not come: ' + said ()); };
const said = () => `${$ ('value').textContent} | ${$ ('reason').textContent} | ${$ ('facts').textContent}`;
const square = t => document.querySelector (`[data-square="${squareOf (t)}"]`), press = (e, key) => e.dispatchEvent (new KeyboardEvent ('keydown', { key, bubbles: true }));
const shown = id => !$ (id).hidden && $ (id).getBoundingClientRect ().height > 0;
const type = text => { $ ('fen').value = text; $ ('load').requestSubmit (); };
const move = san => all ('#moves tr').find (r => r.querySelector ('button') && r.querySelector ('button').textContent === san);
const classOf = row => row.closest ('tbody').querySelector ('.class').textContent;
const light = c => { const v = c.match (/[\d.]+/g).slice (0, 3).map (x => x / 255).map (x => x <= .03928 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4);
  return .2126 * v[0] + .7152 * v[1] + .0722 * v[2]; };
const looks = where => {
  say (document.documentElement.scrollWidth <= innerWidth, `${where}: the page is wider than the window: ${document.documentElement.scrollWidth}`);
  all ('main *').forEach (e => { const b = e.getBoundingClientRect (); if (b.width && b.right > innerWidth + 1) say (false, `${where}: ${e.tagName} ends at ${b.right}`); });
  all ('p,td,th,dd,dt,h1,h2,h3,summary,label,span:not(:empty),main button:not([data-square]):not([data-man]):not(:disabled)').forEach (e => {
    let paper = e; while (paper && /rgba\(.*, 0\)/.test (getComputedStyle (paper).backgroundColor)) paper = paper.parentElement;
    const ink = light (getComputedStyle (e).color), under = light (getComputedStyle (paper || document.body).backgroundColor);
    const of = (Math.max (ink, under) + .05) / (Math.min (ink, under) + .05);
    if (of < (e.closest ('#board') ? 2.4 : 4.5)) say (false, `${where}: contrast of ${e.tagName} ${e.className} is ${of}`);
  });
  all ('button').forEach (b => say (b.getAttribute ('aria-label') || b.textContent.trim (), 'a button without a name'));
  all ('input').forEach (i => say (i.labels && i.labels.length, 'a field without a label'));
};
const dragMan = (a, b) => {
  const at = t => { const r = square (t).getBoundingClientRect (); return { clientX: r.x + r.width / 2, clientY: r.y + r.height / 2, bubbles: true, button: 0 }; };
  square (a).scrollIntoView ({ block: 'center' });
  square (a).dispatchEvent (new PointerEvent ('pointerdown', at (a)));
  square (a).dispatchEvent (new PointerEvent ('pointermove', at (b)));
  say ($ ('ghost'), 'nothing is dragged');
  square (b).dispatchEvent (new PointerEvent ('pointerup', at (b)));
  say (!$ ('ghost'), 'the dragged man stays');
};
const first = async () => {
  const dark = matchMedia ('(prefers-color-scheme: dark)').matches, paper = light (getComputedStyle (document.body).backgroundColor);
  say (dark ? paper < .1 : paper > .8, 'the paper is ' + paper);
  await until ('the value', () => said ().includes ('White wins | KPvK, White to move | Mates in8 moves (15 plies)'));
  await until ('the line', () => all ('#line button').length === 15);
  say (all ('#board [role=row]').length === 8 && all ('#board [role=gridcell]').length === 64, 'the board');
  say (square ('c7').getAttribute ('aria-label') === 'c7, white pawn' && square ('e4').getAttribute ('aria-label') === 'e4, empty', 'names of squares');
  say (all ('.rank').map (e => e.textContent).join ('') === '87654321' && all ('.file').map (e => e.textContent).join ('') === 'abcdefgh', 'coordinates');
  say (all ('#board button').filter (b => b.tabIndex === 0).length === 1, 'one square is reached by Tab');
  say (all ('#moves button').length === 6 && all ('#moves .best').length === 1 && move ('c8=Q+').querySelector ('.best'), 'the moves');
  say (classOf (move ('c8=Q+')).startsWith ('+Wins') && classOf (move ('c8=N')).startsWith ('=Draws'), 'classes of moves have marks and words');
  say ($ ('places').textContent.includes ('KPvK.wdl.sdt') && / bits for .* slots/.test ($ ('places').textContent) && /Slot[\d,]+ of [\d,]+/.test ($ ('places').textContent), 'the places');
  // of promotions that to a rook is in a table that knows the rule
  say (said ().includes ('50-move ruletaken into account') && / tables, subdef /.test ($ ('about').textContent), 'the rule');
  say (all ('#line button')[0].textContent === 'c8=Q+' && $ ('line').textContent.startsWith ('1.c8=Q+') && all ('#line button')[14].textContent.endsWith ('#'), 'the line');
  say ((await (await fetch ($ ('json').href)).json ()).ending === 'KPvK', 'the answer as JSON');
  looks ('a pawn');
};
const playing = async () => {
  // a promotion by two clicks, and back
  square ('c7').click ();
  say (square ('c8').classList.contains ('to') && all ('#board .to').length === 1, 'possible squares');
  square ('c8').click ();
  say (shown ('promote') && all ('#promote button').length === 4, 'what to promote to');
  all ('#promote button').find (b => b.textContent === 'rook').click ();
  await until ('the rook', () => said ().includes ('White wins | KRvK, Black to move'));
  say (square ('c8').classList.contains ('last'), 'the last move is marked');
  $ ('back').click ();
  await until ('the pawn', () => said ().includes ('KPvK, White'));
  // a promotion that is left for setting up
  square ('c7').click (); square ('c8').click ();
  $ ('editing').click ();
  say (!shown ('promote'), 'what to promote to stays while a position is set up');
  $ ('editing').click ();
  // by keys
  square ('a1').focus (); square ('a1').click ();
  say (document.activeElement === square ('a1'), 'the focus is lost');
  press (square ('a1'), 'ArrowRight');
  say (document.activeElement === square ('b1'), 'arrow keys');
  document.activeElement.click ();
  await until ('a move by keys', () => said ().includes ('Black to move | Mated in9 moves (18 plies)'));
  $ ('back').click ();
  await until ('the pawn again', () => said ().includes ('KPvK, White'));
  // from the table, by drag, along the line
  all ('#moves button')[0].click ();
  await until ('a move of the table', () => said ().includes ('KQvK, Black'));
  say (location.hash.startsWith ('#2Q5/8/8/8/8/2k5/8/K7_b'), 'the address: ' + location.hash);
  say (said ().includes ('50-move ruleleft aside'), 'a rule that no table knows: ' + said ());
  $ ('back').click ();
  await until ('the pawn once more', () => said ().includes ('KPvK, White') && all ('#line button').length === 15);
  dragMan ('a1', 'b1');
  await until ('a drag', () => said ().includes ('(18 plies)'));
  $ ('back').click ();
  await until ('the line again', () => said ().includes ('KPvK, White') && all ('#line button').length === 15);
  all ('#line button')[14].click ();
  await until ('the mate', () => said ().startsWith ('Checkmate: White wins'));
  say (!shown ('s-moves') && !shown ('s-line') && !all ('#moves button').length, 'no moves');
};
const settingUp = async () => {
  // a queen by a letter, the side to move, a man away, a position that is none
  $ ('editing').click ();
  say (shown ('tools'), 'the tools');
  looks ('setting up');
  $ ('kings').click ();
  await until ('two kings', () => said ().includes ('A draw | KvK'));
  square ('h8').focus (); press (square ('h8'), 'r');
  await until ('a rook', () => said ().includes ('KRvK, Black'));
  all ('input[name=stm]')[0].click ();
  await until ('the other side', () => said ().includes ('White to move') || said ().includes ('check'));
  all ('#palette button').find (b => b.getAttribute ('aria-label') === 'remove').click ();
  square ('h8').click ();
  await until ('the rook is gone', () => said ().includes ('KvK'));
  all ('#palette button').find (b => b.getAttribute ('aria-label') === 'white king').click ();
  const free = all ('#board button').find (b => b.getAttribute ('aria-label').endsWith ('empty'));
  free.click ();
  await until ('three kings', () => said ().includes ('No position') && said ().includes ('kings'));
  say (!shown ('s-moves') && !shown ('s-line') && !shown ('s-places'), 'three kings: sections of an answer stay');
  $ ('editing').click ();
};
const clocks = async () => {
  type ('8/8/8/8/8/2k5/8/K6R w - - 90 60');
  await until ('a clock', () => said ().includes ('A draw by the 50-move rule: White wins too late | KRvK') && said ().includes ('90 of 100 plies'));
  say ($ ('fen').value === '8/8/8/8/8/2k5/8/K6R w - - 90 60' && location.hash.endsWith ('_w_-_-_90_60'), 'the clock is lost: ' + $ ('fen').value);
  say ($ ('fen').scrollWidth <= $ ('fen').clientWidth, 'the clocks are cut off in the field of the FEN');
  await until ('its line', () => $ ('line').textContent.startsWith ('60.'));
  say (classOf (move ('Rd1')).startsWith ('+=Wins that the 50-move rule makes draws'), 'the class of a move that is too late');
  looks ('a clock');
  move ('Rd1').querySelector ('button').click ();
  await until ('the next clock', () => said ().includes ('Black to move') && said ().includes ('91 of 100 plies') && $ ('fen').value.endsWith (' b - - 91 60'));
  type ('8/8/8/8/8/2k5/8/K6R w - - 0 1');
  await until ('no clock', () => said ().startsWith ('White wins | KRvK, White') && !said ().includes ('of 100 plies'));
  say ($ ('fen').value.endsWith (' 0 1'), 'the clock of another position stays: ' + $ ('fen').value);
  location.hash = '#8/8/8/8/8/2k5/8/K6R_w_-_-_99_120';
  await until ('a linked clock', () => said ().includes ('99 of 100 plies') && $ ('fen').value.endsWith (' 99 120'));
};
const unknown = async () => {
  type ('8/8/8/8/8/2k5/8/KBN5 w - - 0 1');
  await until ('a missing table', () => said ().includes ('Not known') && said ().includes ('Tables not hereKBNvK'));
  say (!/none/i.test ($ ('moves').textContent) && !document.querySelector ('main').textContent.includes ('follows from'), 'something false is said of a missing table');
  say (all ('#moves .class').length === 1 && classOf (all ('#moves tbody tr')[1]).startsWith ('?Not known'), 'moves of a missing table');
  looks ('a missing table');
  type ('8/8/8/8/8/2k5/8/K3b2R w - - 0 1');
  await until ('a known move', () => said ().includes ('White wins | KRvKB') && said ().includes ('Tables not hereKRvKB'));
  say (classOf (move ('Rxe1+') || move ('Rxe1')).startsWith ('+Wins') && classOf (move ('Rh2')).startsWith ('?Not known'), 'a capture into a table that is here');
  say (all ('#moves .best').length === 1 && !move ('Rh2').querySelector ('.best'), 'a move that is not known is best');
  type ('4k2r/8/8/8/8/8/8/4K3 w k - 0 1');
  await until ('castling rights', () => said ().includes ('Not known | KRvK, White to move'));
  say ($ ('note').textContent === 'Tables know no castling rights.' && $ ('places').textContent === 'In none: tables know no castling rights.', 'why castling is not known');
  say (classOf (move ('Kd1')).startsWith ('?Not known') && !shown ('s-line') && $ ('fen').value.includes (' w k '), 'moves before castling');
  looks ('castling rights');
  type ('4k3/8/8/8/8/8/8/4K2R w K - 0 1');
  await until ('castling that is known', () => said ().includes ('White wins | KRvK, White to move'));
  say (classOf (move ('O-O')).startsWith ('+Wins') && $ ('note').textContent.includes ('castling'), 'castling as a move');
  type ('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1');
  await until ('32 men', () => said ().startsWith ('Not known'));
  say ($ ('note').textContent === 'Tables hold at most 7 men.' && all ('#moves button').length === 20, '32 men: ' + $ ('note').textContent);
  looks ('32 men');
  type ('8/8/8/8/8/2k5/8/KBN5 w - - 0 1');
  await until ('the missing table again', () => said ().includes ('Tables not hereKBNvK'));
  type ('hello');
  await until ('a text that is no position', () => said ().startsWith ('No position that can be asked for | FEN: rank 8'));
  say (!document.querySelector ('main').textContent.includes ('KBNvK') && !shown ('s-moves') && !shown ('s-line') && !shown ('s-places') && !shown ('more'), 'something of the former position stays');
  say (!all ('#board .man').length && $ ('fen').value === 'hello', 'the former board stays');
  looks ('no position');
  $ ('back').click ();
  await until ('the position before', () => said ().includes ('KBNvK'));
  type ('8/8/<img src=x onerror=faults.push(1)>/8/8/2k5/8/K7 w - - 0 1');
  await until ('a bad board', () => said ().includes ('FEN: rank 6'));
  type ('9/8/8/8/8/2k5/8/K7 w - - 0 1');
  await until ('a rank of nine squares', () => said ().includes ('FEN: rank 8'));
  type ('8/8/8/8/8/2k5/8/K6N x - - 0 1');
  await until ('no side to move', () => said ().includes ('No position') && said ().includes ('FEN: '));
  type ('8/8/8/8/8/2k5/8/K7 w - - 0 1');
  await until ('a draw', () => said ().includes ('A draw | KvK') && $ ('places').textContent.includes ('nobody can mate'));
};
const address = async () => {
  location.hash = '#%';
  await until ('an address that is none', () => said ().includes ('No position'));
  location.hash = '#8/2P5/8/8/8/2k5/8/K7_w_-_-_0_1';
  await until ('an address', () => said ().includes ('KPvK, White'));
  $ ('turned').click ();
  say (all ('#board button')[0].dataset.square === '7' && all ('.rank')[0].textContent === '1' && all ('.file')[0].textContent === 'h', 'the board is turned');
  looks ('turned');
};
first ().then (playing).then (settingUp).then (clocks).then (unknown).then (address).catch (e => faults.push (e)).finally (() =>
  parent.postMessage (`width ${innerWidth} ${matchMedia ('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'} faults ${faults.length} ${faults.slice (0, 5).join ('; ')}`, '*'));
</script>
ASK
# the same of the list of tables
cat >ask-tables.js <<'ASK'
<script type="module">
import { $ } from './dom.js';
const faults = [], say = (ok, what) => { if (!ok) faults.push (what); };
addEventListener ('error', e => faults.push ('error: ' + e.message));
addEventListener ('unhandledrejection', e => faults.push ('error: ' + e.reason));
const all = (s, of) => [...(of || document).querySelectorAll (s)];
const until = async (what, is) => { for (let i = 0; i < 400; i++) { if (is ()) return; await new Promise (r => setTimeout (r, 20)); } say (false, what + ' does not come: ' + document.querySelector ('main').textContent.slice (0, 200)); };
const row = (ending, metric) => all ('#tables tbody tr').find (r => r.textContent.startsWith (ending + metric));
const asked = async () => {
  await until ('the list', () => all ('#tables tbody tr').length >= 8);
  say (/^\d+ tables, [\d,]+ bytes$/.test ($ ('sum').textContent), 'the sum: ' + $ ('sum').textContent);
  say (row ('KRvK', 'wdl').textContent.includes ('repair') && row ('KRvK', 'wdl').textContent.includes ('KRvK.wdl.sdt') && !row ('KRvK', 'wdl').querySelector ('a'), 'a table: ' + row ('KRvK', 'wdl').textContent);
  say (/w [0-9a-f]{16}, b [0-9a-f]{16}/.test (row ('KRvK', 'dtm').textContent), 'published checksums: ' + row ('KRvK', 'dtm').textContent);
  row ('KRvK', 'dtm').querySelector ('button').click ();
  await until ('the values', () => $ ('state').textContent.startsWith ('Counted by this server.'));
  say ($ ('state').textContent.endsWith ('is the published one.') && $ ('h-values').textContent === 'KRvK, dtm' && document.activeElement === $ ('h-values'), 'the values: ' + $ ('state').textContent);
  say (all ('#values tbody')[0].textContent.startsWith ('White21,95921,95900'), 'the counts: ' + all ('#values tbody')[0].textContent);
  say (all ('#values details').length === 2 && all ('#values details')[0].textContent.includes ('mate in 31 plies'), 'the histogram: ' + all ('#values details')[0].textContent);
  say (document.documentElement.scrollWidth <= innerWidth, 'the page is wider than the window: ' + document.documentElement.scrollWidth);
  all ('button').forEach (b => say (b.getAttribute ('aria-label') || b.textContent.trim (), 'a button without a name'));
};
asked ().catch (e => faults.push (e)).finally (() =>
  parent.postMessage (`width ${innerWidth} ${matchMedia ('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'} faults ${faults.length} ${faults.slice (0, 5).join ('; ')}`, '*'));
</script>
ASK
# the pages with these questions, beside the true answers
cat >proxy.py <<'PROXY'
import http.server, sys, urllib.request, urllib.error
url, questions = sys.argv[1].rstrip ('/'), {'/': open ('ask.js').read (), '/tables.html': open ('ask-tables.js').read ()}
class Handler (http.server.BaseHTTPRequestHandler):
    def do_GET (self):
        status, kind = 200, 'text/html; charset=utf-8'
        if self.path.startswith (('/frame', '/list')):
            page, width = ('/tables.html', self.path[5:]) if self.path.startswith ('/list') else ('/#8/2P5/8/8/8/2k5/8/K7_w_-_-_0_1', self.path[6:])
            body = f"<script>onmessage=e=>document.body.append('says '+e.data+'.')</script><iframe width={width} height=900 style=border:0 src='{page}'></iframe>".encode ()
        else:
            try: r = urllib.request.urlopen (url + self.path)
            except urllib.error.HTTPError as e: r = e
            status, kind, body = 200 if r.status in (400, 404) else r.status, r.headers['Content-Type'], r.read () # the console would name them
            if self.path in questions: body = body.replace (b'</body>', questions[self.path].encode () + b'</body>')
        self.send_response (status)
        self.send_header ('Content-Type', kind)
        self.send_header ('Content-Length', str (len (body)))
        self.end_headers ()
        self.wfile.write (body)
    def log_message (self, *words): pass
s = http.server.ThreadingHTTPServer (('127.0.0.1', 0), Handler)
print (s.server_port, flush=True)
s.serve_forever ()
PROXY
"$python" proxy.py "$(cat url)" >port &
proxy=$!
wait_for port
failed=0
page () { echo "http://127.0.0.1:$(cat port)/frame$1"; }
. "$source/tests/tools/look_at.sh"
look_at 150000 page
# time stands still in the browser while it waits, so that the values are counted before
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25; do
  "$python" -c 'import sys, urllib.request; sys.exit (urllib.request.urlopen (sys.argv[1] + "stats?ending=KRvK&metric=dtm").status != 200)' "$(cat url)" && break
  sleep 0.2
done
list () { echo "http://127.0.0.1:$(cat port)/list$1"; }
look_at 30000 list
exit $failed
