#!/bin/sh
# The page of subdef serve in a browser (headless Chromium), at the width of a phone and of a desk, in light and dark: a position is shown
# with its moves, best line and places in tables; moves are played by click, by keys and by drag; positions are set up; everything has a
# name; nothing is wider than the page or written to the console; letters can be told from the paper. Without Chromium or python3: exit 77.
set -u
subdef=$SD_BUILDDIR/tools/subdef source=$(cd "$SD_SRCDIR" && pwd)
grep -q '^#define HAVE_MICROHTTPD 1' "$SD_BUILDDIR/config.h" || { echo "no HTTP in this build"; exit 77; }
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || { echo "no Chromium here"; exit 77; }
python=$(command -v python3) || { echo "no python3 here"; exit 77; }
work=$(mktemp -d "$SD_BUILDDIR/page-XXXXXX") || exit 1
server='' proxy=''
trap 'for p in $server $proxy; do kill $p 2>/dev/null; done; rm -rf "$work"' EXIT
cd "$work" || exit 1
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ASAN_OPTIONS=detect_leaks=0 \
  "$SD_BUILDDIR/tools/subdef-gen" KPvK -q -o t >gen.txt 2>&1 || { cat gen.txt; exit 1; }
"$subdef" reformat KPvK KQvK KRvK --metric wdl --codec repair --tables t -o w -q || exit 1
wait_for () { for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25; do [ -s "$1" ] && return; sleep 0.2; done; }
"$subdef" serve --tables w:t --port 0 >url 2>err &
server=$!
wait_for url

# what is asked of the page, inside of it; the answer is a line of words
cat >ask.js <<'ASK'
<script>
const faults = [], say = (ok, what) => { if (!ok) faults.push (what); };
addEventListener ('error', e => faults.push ('error: ' + e.message));
addEventListener ('unhandledrejection', e => faults.push ('error: ' + e.reason));
const all = (s, of) => [...(of || document).querySelectorAll (s)];
const until = async (what, is) => { for (let i = 0; i < 400; i++) { if (is ()) return; await new Promise (r => setTimeout (r, 20)); } say (false, what + ' does not come: ' + $ ('value').textContent); };
const value = () => $ ('value').textContent, square = t => document.querySelector (`[data-square="${squareOf (t)}"]`), press = (e, key) => e.dispatchEvent (new KeyboardEvent ('keydown', { key, bubbles: true }));
const light = c => { const v = c.match (/[\d.]+/g).slice (0, 3).map (x => x / 255).map (x => x <= .03928 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4);
  return .2126 * v[0] + .7152 * v[1] + .0722 * v[2]; };
const looks = () => {
  say (document.documentElement.scrollWidth <= innerWidth, 'the page is wider than the window: ' + document.documentElement.scrollWidth);
  all ('main *').forEach (e => { const b = e.getBoundingClientRect (); if (b.width && b.right > innerWidth + 1 && !e.closest ('.wide')) say (false, e.tagName + ' ends at ' + b.right); });
  all ('p,td,th,dd,dt,h1,h2,label,legend,main button:not([data-square]):not([data-man]):not(:disabled)').forEach (e => {
    let paper = e; while (paper && /rgba\(.*, 0\)/.test (getComputedStyle (paper).backgroundColor)) paper = paper.parentElement;
    const ink = light (getComputedStyle (e).color), under = light (getComputedStyle (paper || document.body).backgroundColor);
    const of = (Math.max (ink, under) + .05) / (Math.min (ink, under) + .05);
    if (of < 4.5) say (false, `contrast of ${e.tagName} is ${of}`);
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
(async () => {
  const dark = matchMedia ('(prefers-color-scheme: dark)').matches, paper = light (getComputedStyle (document.body).backgroundColor);
  say (dark ? paper < .1 : paper > .8, 'the paper is ' + paper);
  await until ('the value', () => value ().includes ('KPvK, White to move: won, mates in 8 moves (15 plies)'));
  await until ('the line', () => all ('#line button').length === 15);
  say (all ('#board [role=row]').length === 8 && all ('#board [role=gridcell]').length === 64, 'the board');
  say (square ('c7').getAttribute ('aria-label') === 'c7, white pawn' && square ('e4').getAttribute ('aria-label') === 'e4, empty', 'names of squares');
  say (all ('#board button').filter (b => b.tabIndex === 0).length === 1, 'one square is reached by Tab');
  say (all ('#moves tbody tr').length === 6 && all ('#moves .best').length === 1 && all ('#moves .best')[0].textContent === 'c8=Q+', 'the moves');
  say ($ ('places').textContent.includes ('KPvK.wdl.sdt') && / bits for .* slots/.test ($ ('places').textContent) && /slot[\d,]+ of [\d,]+/.test ($ ('places').textContent), 'the places');
  say ($ ('units').textContent.includes ('no 50-move rule') && $ ('about').textContent.includes ('tables'), 'the units');
  say (all ('#line button')[0].textContent === '1. c8=Q+' && all ('#line button')[14].textContent.endsWith ('#'), 'the line');
  looks ();
  // a promotion by two clicks, and back
  square ('c7').click ();
  say (square ('c8').classList.contains ('to') && all ('#board .to').length === 1, 'possible squares');
  square ('c8').click ();
  say (!$ ('promote').hidden && all ('#promote button').length === 4, 'what to promote to');
  all ('#promote button').find (b => b.textContent === 'rook').click ();
  await until ('the rook', () => value ().startsWith ('KRvK, Black to move: lost'));
  say (square ('c8').classList.contains ('last'), 'the last move is marked');
  $ ('back').click ();
  await until ('the pawn', () => value ().startsWith ('KPvK, White'));
  // by keys
  square ('a1').focus (); square ('a1').click ();
  say (document.activeElement === square ('a1'), 'the focus is lost');
  press (square ('a1'), 'ArrowRight');
  say (document.activeElement === square ('b1'), 'arrow keys');
  document.activeElement.click ();
  await until ('a move by keys', () => value ().includes ('Black to move: lost, mated in 9 moves (18 plies)'));
  $ ('back').click ();
  await until ('the pawn again', () => value ().startsWith ('KPvK, White'));
  // from the table, by drag, along the line
  all ('#moves button')[0].click ();
  await until ('a move of the table', () => value ().startsWith ('KQvK, Black'));
  say (location.hash.startsWith ('#2Q5/8/8/8/8/2k5/8/K7_b'), 'the address: ' + location.hash);
  $ ('back').click ();
  await until ('the pawn once more', () => value ().startsWith ('KPvK, White') && all ('#line button').length === 15);
  dragMan ("a1", "b1");
  await until ('a drag', () => value ().includes ('(18 plies)'));
  $ ('back').click ();
  await until ('the line again', () => value ().startsWith ('KPvK, White') && all ('#line button').length === 15);
  all ('#line button')[14].click ();
  await until ('the mate', () => value () === 'KQvK, Black to move: checkmate');
  say (!all ('#moves button').length, 'no moves');
  // set up: a queen by a letter, the side to move, a man away, a position that is none
  $ ('setup').click ();
  say (!$ ('tools').hidden, 'the tools');
  looks ();
  $ ('clear').click ();
  await until ('two kings', () => value ().includes ('KvK'));
  square ('h8').focus (); press (square ('h8'), 'r');
  await until ('a rook', () => value ().startsWith ('KRvK, Black'));
  all ('input[name=stm]')[0].click ();
  await until ('the other side', () => value ().includes ('White to move') || value ().includes ('check'));
  all ('#palette button').find (b => b.getAttribute ('aria-label') === 'remove').click ();
  square ('h8').click ();
  await until ('the rook is gone', () => value ().includes ('KvK'));
  all ('#palette button').find (b => b.getAttribute ('aria-label') === 'white king').click ();
  const free = all ('#board button').find (b => b.getAttribute ('aria-label').endsWith ('empty'));
  free.click ();
  await until ('three kings', () => value ().includes ('kings'));
  $ ('fen').value = '8/8/8/8/8/2k5/8/KBN5 w - - 0 1';
  $ ('load').requestSubmit ();
  await until ('a missing table', () => value ().includes ('KBNvK') && $ ('units').textContent.includes ('Missing: KBNvK'));
  $ ('fen').value = '8/8/<img src=x onerror=faults.push(1)>/8/8/2k5/8/K7 w - - 0 1';
  $ ('load').requestSubmit ();
  say (value ().includes ('8 ranks'), 'a bad board');
  $ ('fen').value = '9/8/8/8/8/2k5/8/K7 w - - 0 1';
  $ ('load').requestSubmit ();
  say (value ().includes ('8 squares each'), 'a rank of nine squares');
  $ ('fen').value = '4k3/8/8/8/8/8/8/4K2R w K - 0 1';
  $ ('load').requestSubmit ();
  await until ('a castling right', () => value ().includes ('castling'));
  $ ('fen').value = '8/8/8/8/8/2k5/8/K6N w - - 0 1';
  $ ('load').requestSubmit ();
  await until ('a draw', () => value ().includes ('drawn'));
  location.hash = '#%';
  location.hash = '#8/2P5/8/8/8/2k5/8/K7_w_-_-_0_1';
  await until ('an address', () => value ().startsWith ('KPvK, White'));
  $ ('flip').click ();
  say (all ('#board button')[0].dataset.square === '7', 'the board is turned');
  looks ();
})().catch (e => faults.push (e)).finally (() => parent.postMessage (`width ${innerWidth} ${matchMedia ('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'} faults ${faults.length} ${faults.slice (0, 5).join ('; ')}`, '*'));
</script>
ASK
# the page with these questions, beside the true answers
cat >proxy.py <<'PROXY'
import http.server, sys, urllib.request, urllib.error
url, questions = sys.argv[1].rstrip ('/'), open ('ask.js').read ()
class Handler (http.server.BaseHTTPRequestHandler):
    def do_GET (self):
        status, kind = 200, 'text/html; charset=utf-8'
        if self.path.startswith ('/frame'):
            body = f"<script>onmessage=e=>document.body.append('says '+e.data+'.')</script><iframe width={self.path[6:]} height=900 style=border:0 src='/#8/2P5/8/8/8/2k5/8/K7_w_-_-_0_1'></iframe>".encode ()
        else:
            try: r = urllib.request.urlopen (url + self.path)
            except urllib.error.HTTPError as e: r = e
            status, kind, body = 200 if r.status in (400, 404) else r.status, r.headers['Content-Type'], r.read () # the console would name them
            if self.path == '/': body = body.replace (b'</body>', questions.encode () + b'</body>')
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
look_at 60000 page
exit $failed
