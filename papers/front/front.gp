# Bytes against the time of a lookup, every codec and setting of an ending and metric: ENDING = 'KPvK'; METRIC = 'dtm'. figures.sh draws it from
# front.csv. Nothing is below and to the left of a mark of the front, so that its name stands there, pushed down where others are.
load '../../experiments/report/figures/style.gp'
asked (what) = sprintf ("sh ../ask.sh front-figure.sql ending %s metric %s what %s", ENDING, METRIC, what)
rows (what) = '< ' . asked (what)
eval paper (640, 540, ENDING . '_' . METRIC)
eval frame (70, 24, 124, 60)
TITLE = sprintf ('%s, %s: bytes against time', ENDING, METRIC eq 'dtm' ? 'DTM' : 'WDL')
WHAT = 'bytes of both sides to move'; BELOW = 'median time of a lookup'
eval heading
ENTRY = 'diagrams'; eval legend (13, OBDD)
ENTRY = 'forest'; eval legend (9, TREES)
ENTRY = 'trees'; eval legend (11, TREES)
ENTRY = 'RE-PAIR'; eval legend (7, REPAIR)
ENTRY = 'huffman'; eval legend (11, HUFFMAN)
ENTRY = 'rle'; eval legend (15, RLE)
ENTRY = 'general compressors, plain copy'; eval legend (5, LZMA)
ENTRY = 'the front'; eval legend_line (6, PALE, 1)
eval ticks ('x', 'time', 1)
if (narrow) { eval sprintf ('set xtics (%s0)', tick ('time', 1) . tick ('time', 1e2) . tick ('time', 1e4) . tick ('time', 1e6) . tick ('time', 1e8)) }
eval ticks ('y', 'bytes', 3)
extent = system (asked ('extent'))
from_x = real (word (extent, 1)) / (narrow ? 4 : 40); to_x = real (word (extent, 2)) * 2
lines = system (asked ('front'))
n = words (lines) / 4
# a part of the height below the smallest mark is room for names
room = narrow ? 0.25 : n < 5 ? 0.2 : n > 12 ? 0.5 : 0.04 * n
least = real (word (extent, 3)); to_y = 1.2 * real (word (extent, 4))
from_y = least / (to_y / least)**(room / (1 - room))
set xrange [from_x:to_x]
set yrange [from_y:to_y]
# pixels
px (ns) = 70 + (WIDTH - 94) * log (ns / from_x) / log (to_x / from_x)
py (bytes) = ABOVE + (HEIGHT - ABOVE - UNDER) * log (to_y / bytes) / log (to_y / from_y)
array X[n]; array Y[n]; array LEFT[n]; array RIGHT[n]; array AT[n]
do for [i = 1:n] {
  X[i] = px (real (word (lines, 4 * i - 3))); Y[i] = py (real (word (lines, 4 * i - 2)))
  name = word (lines, 4 * i - (narrow ? 1 : 0))
  RIGHT[i] = X[i] - 9; LEFT[i] = RIGHT[i] - letters (name); AT[i] = Y[i] + 7
  do for [k = 1:i - 1] {
    if (LEFT[i] < RIGHT[k] && AT[i] < AT[k] + 15) { AT[i] = AT[k] + 15 }
    if (LEFT[i] < X[k] + 7 && AT[i] < Y[k] + 14) { AT[i] = Y[k] + 14 }
  }
  set label name at screen across (RIGHT[i]), down (AT[i]) right front font SMALL
  if (AT[i] > Y[i] + 12) { set arrow from screen across (X[i]), down (Y[i]) to screen across (RIGHT[i] + 2), down (AT[i]) nohead lw 0.6 lc rgb GREY }
}
# what the fastest and the smallest beat, too
set arrow from screen across (X[1]), down (Y[1]) to screen across (X[1]), graph 1 nohead back lw 6 lc rgb PALE
set arrow from screen across (X[n]), down (Y[n]) to graph 1, screen down (Y[n]) nohead back lw 6 lc rgb PALE
plot rows ('front') using 1:2 with steps lw 6 lc rgb PALE, \
  rows ('general') using 1:2 with points pt 5 ps 0.8 lc rgb LZMA, \
  rows ('rle') using 1:2 with points pt 15 ps 0.9 lc rgb RLE, \
  rows ('huffman') using 1:2 with points pt 11 ps 0.9 lc rgb HUFFMAN, \
  rows ('repair') using 1:2 with points pt 7 ps 0.8 lc rgb REPAIR, \
  rows ('trees') using 1:2 with points pt 11 ps 0.9 lc rgb TREES, \
  rows ('forest') using 1:2 with points pt 9 ps 0.9 lc rgb TREES, \
  rows ('obdd') using 1:2 with points pt 13 ps 1 lc rgb OBDD
eval finished
