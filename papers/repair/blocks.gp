# Bytes against the size of a block, as multiples of those of 64 KiB. figures.sh draws it from history.csv and ../published/published.csv.
load '../../experiments/report/figures/style.gp'
rows (of) = sprintf ("< sh ../ask.sh blocks-figure.sql of %s", of)
eval paper (640, 420, 'blocks')
eval frame (60, 24, 96, 64)
TITLE = 'LZMA, DTM, no freedom: bytes against the size of a block'; WHAT = 'bytes, times those in blocks of 64 KiB'
BELOW = 'block, bytes before coding'
eval heading
ENTRY = 'all 30 endings with 4 men'; eval legend (7, BLUE)
ENTRY = 'KRvKP'; eval legend (5, ORANGE)
ENTRY = 'KRKP of Kristensen 2005'; eval legend (9, GREEN)
eval binary_ticks ('x', 'binary', narrow ? 4 : 2)
set xrange [200:2600000]
set yrange [0.7:2.5]
plot rows ('all') using 1:2 with linespoints lw 2 pt 7 lc rgb BLUE, \
  rows ('KRvKP') using 1:2 with linespoints lw 2 pt 5 lc rgb ORANGE, \
  rows ('Kristensen') using 1:2 with linespoints lw 2 pt 9 lc rgb GREEN
eval finished
