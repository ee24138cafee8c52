#!/bin/sh
# The page of a report in a browser (headless Chromium), at the width of a phone and of a desk, in light and dark: tables fit a desk, and
# open and closed ones a phone, with names and numbers of four men, too; their columns of less importance come with a box; a time stays on one line; rows stand by bytes, and are sorted by
# the buttons in their heads, which is said aloud; figures fill their cards, their letters can be read; nothing is wider than the page; nothing is written to the
# console; letters can be told from the paper.
# Without Chromium: exit 77.
set -u
subdef=$SD_BUILDDIR/tools/subdef source=$(cd "$SD_SRCDIR" && pwd)
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || { echo "no Chromium here"; exit 77; }
work=$(mktemp -d "$SD_BUILDDIR/browser-XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ASAN_OPTIONS=detect_leaks=0 \
  "$SD_BUILDDIR/tools/subdef-gen" KRvK -q -o . >gen.txt 2>&1 || { cat gen.txt; exit 1; }
cat >sweep.conf <<'SWEEP'
title = "A page for the browser"; seed = 1;
groups = ( { name = "orders"; tables = "KRvK"; metric = ["wdl", "dtm"]; order = "all"; latency = true; codec = { name = "repair"; block = 128; }; },
           { name = "1-lzma"; tables = "KRvK"; metric = ["wdl", "dtm"]; subdefinite = "off"; codec = { name = "lzma"; block = 16384; }; },
           { name = "2-repair"; tables = "KRvK"; metric = ["wdl", "dtm"]; latency = true; codec = { name = "repair"; block = [64, 256, 1024, 4096]; }; },
           { name = "3-parse"; tables = "KRvK"; metric = "wdl"; codec = { name = "repair"; block = 64; parse = ["greedy", "optimal"]; }; },
           { name = "4-order"; tables = "KRvK"; metric = ["wdl", "dtm"]; order = "all"; subdefinite = "off"; codec = { name = "lzma"; block = 16384; }; },
           { name = "5-obdd"; tables = "KRvK"; metric = "wdl"; latency = true; codec = { name = "obdd"; polish = [0, 20]; }; } );
SWEEP
"$subdef" sweep sweep.conf --tables . -o rows.db >sweep.txt 2>&1 || { cat sweep.txt; exit 1; }
"$subdef" report rows.db -o . -q 2>report.txt || { cat report.txt; exit 1; }

# what is asked of the page, inside of it; the answer is a line of words
cat >ask.js <<'ASK'
<script>
const faults = [], say = (ok, what) => { if (!ok) faults.push (what); };
addEventListener ('error', e => faults.push ('error: ' + e.message));
const all = (s, of) => [...(of || document).querySelectorAll (s)];
const fits = when => {
  say (document.documentElement.scrollWidth <= innerWidth, `the page is wider than the window ${when}: ${document.documentElement.scrollWidth}`);
  all ('main *').forEach (e => {
    const box = e.getBoundingClientRect ();
    if (box.width && box.right > innerWidth + 1 && !e.closest ('.wide,pre,#said,figure')) say (false, `${e.tagName} ends at ${box.right} ${when}`);
  });
};
fits ('at first');
const narrow = when => all ('.wide').forEach (w =>
  say (innerWidth > 500 || w.scrollWidth <= w.clientWidth + 1, `${w.getAttribute ('aria-label')} takes ${w.scrollWidth} of ${w.clientWidth} ${when}`));
narrow ('at first');
say (all ('details').some (d => !d.open) && all ('details > summary').length === all ('details').length, 'nothing is closed');
all ('nav a').forEach (a => say (document.querySelector (a.getAttribute ('href')), 'a link to nothing'));
all ('details').forEach (d => { d.open = true; });
fits ('when all is open');
if (innerWidth > 1000)
  all ('.wide').forEach (w => say (w.scrollWidth <= w.clientWidth + 1, `${w.getAttribute ('aria-label')} takes ${w.scrollWidth} of ${w.clientWidth}`));
say (all ('.more').length && all ('.more').every (e => !e.getClientRects ().length), 'columns of less importance are shown');
say (all ('time').length && all ('time').every (t => t.getClientRects ().length < 2), 'a time goes over two lines');
narrow ('when all is open');
// four men: longer names, bytes of seven digits, milliseconds
const cells = all ('td'), was = cells.map (c => c.innerHTML);
cells.forEach (c => {
  const head = c.closest ('table').rows[0].cells[c.cellIndex].textContent;
  c.innerHTML = head === 'bytes' ? '1,623,111' : head === 'slot' ? '1.08 ms' : c.innerHTML.replace (/KRvK\b/, 'KRvKP').replace (/\b[Kkr]+!?[Kkr]*\b(?=( |$))/, 'pkRK!');
});
narrow ('with four men');
cells.forEach ((c, i) => { c.innerHTML = was[i]; });
say (all ('.desk').every (e => !e.getClientRects ().length === innerWidth < 500), 'columns for a desk');
all ('.all').forEach (b => { say (b.labels.length === 1, 'a box without a label'); b.click (); });
say (all ('.more, .desk').every (e => e.getClientRects ().length), 'columns of less importance do not come');
fits ('with all columns');
const light = c => { const v = c.match (/[\d.]+/g).slice (0, 3).map (x => x / 255).map (x => x <= .03928 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4);
  return .2126 * v[0] + .7152 * v[1] + .0722 * v[2]; };
const paper = light (getComputedStyle (document.body).backgroundColor), dark = matchMedia ('(prefers-color-scheme: dark)').matches;
say (dark ? paper < .1 : paper > .8, 'the paper is ' + paper);
const drawn = all ('figure svg').filter (s => s.getClientRects ().length), phone = innerWidth < 500;
say (drawn.length === all ('figure').length, 'a figure is not drawn once');
say (all ('.narrow').length === all ('figure').length && all ('.narrow').every (s => drawn.includes (s) === phone && drawn.includes (s.nextElementSibling) !== phone), 'drawings for a phone');
say (all ('.narrow').every (s => s.parentElement.scrollWidth <= s.parentElement.clientWidth), 'a drawing for a phone is wider than its card');
say (drawn.every (s => s.getBoundingClientRect ().width >= s.parentElement.clientWidth - 30), 'a figure does not fill its card');
drawn.forEach (s => { // and its letters, 14 of its own pixels, can be read
  const letter = 14 * s.getBoundingClientRect ().width / s.viewBox.baseVal.width;
  if (letter < 11.5) say (false, `letters of ${letter} pixels in ${s.getAttribute ('aria-label').slice (0, 40)}`);
});
drawn.flatMap (s => all ('text', s)).forEach (t => {
  const ink = light (getComputedStyle (t).fill), under = light (getComputedStyle (t.closest ('figure')).backgroundColor);
  const of = (Math.max (ink, under) + .05) / (Math.min (ink, under) + .05);
  if (of < (dark ? 4.5 : 3.4)) say (false, `contrast of ${t.textContent} in a figure is ${of}`);
});

all ('th[aria-sort=ascending]').forEach (h => {
  const of = r => +r.cells[h.cellIndex].textContent.replace (/,/g, ''), rows = [...h.closest ('table').tBodies[0].rows];
  say (rows.every ((r, k) => !k || of (rows[k - 1]) <= of (r)), 'a mark says rising where nothing rises');
});
say (all ('th[aria-sort=ascending]').length > 1, 'no table is sorted by bytes');
all ('p,td,th,a,figcaption,summary').forEach (e => {
  const ink = light (getComputedStyle (e).color), of = (Math.max (ink, paper) + .05) / (Math.min (ink, paper) + .05);
  if (of < 4.5) say (false, 'contrast of ' + e.tagName + ' is ' + of);
});
all ('figure svg').forEach (s => say (s.getAttribute ('role') === 'img' && s.getAttribute ('aria-label'), 'a figure without a name'));
all ('.wide').forEach (w => say (w.getAttribute ('role') === 'region' && w.getAttribute ('aria-label') && w.tabIndex === 0, 'a frame without a name'));
const ids = all ('[id]').map (e => e.id); say (new Set (ids).size === ids.length, 'two parts have one name');
const tables = all ('table'); say (tables.length > 5, 'few tables');
let sorted = 0;
tables.forEach (t => all ('th', t).forEach ((h, i) => {
  const b = h.querySelector ('button'), number = x => +x.replace (/,/g, '');
  if (!h.textContent) return;
  if (!b) return say (false, 'a head without a button');
  const column = () => [...t.tBodies[0].rows].map (r => r.cells[i].textContent);
  const before = column ();
  for (const up of [true, false]) {
    b.focus (); say (document.activeElement === b, 'a button cannot be reached'); b.click ();
    say (h.getAttribute ('aria-sort') === (up ? 'ascending' : 'descending'), 'aria-sort of ' + h.textContent);
    say (document.getElementById ('said').textContent === 'sorted by ' + h.textContent + ', ' + (up ? 'rising' : 'falling'), 'nothing is said');
    const now = column ().filter (x => x !== '-');
    if (now.length > 1 && now.every (x => /^[\d,.]+$/.test (x))) {
      sorted++;
      say (now.every ((x, k) => !k || (up ? number (now[k - 1]) <= number (x) : number (now[k - 1]) >= number (x))), 'not sorted by ' + h.textContent);
    }
    say (before.length === column ().length, 'rows are lost');
  }
}));
say (sorted > 10, 'few columns of numbers: ' + sorted);
all ('ul.files a').forEach (a => say (!a.getAttribute ('href').includes ('/'), 'a link leaves the folder'));
parent.postMessage (`width ${innerWidth} ${dark ? 'dark' : 'light'} faults ${faults.length} ${faults.slice (0, 5).join ('; ')}`, '*');
</script>
ASK
sed -e '/<\/main>/r ask.js' index.html >asked.html
failed=0
page () {
  echo "<script>onmessage=e=>document.body.append('says '+e.data+'.')</script><iframe width=$1 height=900 style=border:0 src=asked.html></iframe>" >frame.html
  echo "file://$work/frame.html"
}
. "$source/tests/tools/look_at.sh"
look_at 20000 page
# every link of the list of files leads to a file, and every file of the folder of the report is there
sed -n 's/.*<li><a href="\([^#"][^"]*\)".*/\1/p' index.html >links.txt
while read -r link; do [ -f "$link" ] || { failed=1; echo "FAILED a link to $link, which is not there"; }; done <links.txt
for f in *.csv *.gp *.dat *.svg *.pdf report.md tables.tex; do
  if [ -f "$f" ] && ! grep -qx "$f" links.txt; then failed=1; echo "FAILED no link to $f"; fi
done
exit $failed
