# WDL of each ending: diagrams beside RE-PAIR, Kristensen's diagrams, EgmProbe and Syzygy. figures.sh draws it from the CSV files here.
load '../../experiments/report/figures/style.gp'
rows = "< sh ../ask.sh sizes-figure.sql"
eval paper (640, 780, 'sizes')
eval frame (84, 24, 84, 60)
TITLE = 'WDL of 35 endings, both sides to move'; WHAT = ''; BELOW = 'bytes of a file'
eval heading
ENTRY = 'diagrams'; eval legend (13, OBDD)
ENTRY = 'RE-PAIR'; eval legend (7, REPAIR)
ENTRY = 'Kristensen 2005'; eval legend (11, ORANGE)
ENTRY = 'EgmProbe 2.0'; eval legend (9, GREEN)
ENTRY = 'Syzygy'; eval legend (5, LZMA)
eval ticks ('x', 'bytes', 1)
eval endings
set xrange [25:600000]
set yrange [-1:35]
plot rows using 2:0:($4 - $2):(0) with vectors nohead lw 0.8 lc rgb GREY, \
  rows using 4:0:ytic(1) with points pt 5 ps 0.8 lc rgb LZMA, \
  rows using 6:0 with points pt 9 ps 0.9 lc rgb GREEN, \
  rows using 5:0 with points pt 11 ps 0.9 lc rgb ORANGE, \
  rows using 3:0 with points pt 7 ps 0.8 lc rgb REPAIR, \
  rows using 2:0 with points pt 13 ps 1 lc rgb OBDD
eval finished
