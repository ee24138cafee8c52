# Medians of WDL probes beside Fathom's. figures.sh draws it from fathom.csv.
load '../../experiments/report/figures/style.gp'
rows = "< sh ../ask.sh medians-figure.sql"
eval paper (640, 760, 'medians')
eval frame (84, 24, 70, 60)
TITLE = 'Probes of WDL, 10,000 positions of each ending'; WHAT = ''; BELOW = 'median time of a probe'
eval heading
ENTRY = 'diagrams'; eval legend (13, OBDD)
ENTRY = 'RE-PAIR'; eval legend (7, REPAIR)
ENTRY = 'Fathom, in Syzygy files'; eval legend (5, LZMA)
eval ticks ('x', 'time', narrow ? 1 : 3)
eval endings
set xrange [15:*]
set yrange [-1:35]
plot rows using 4:0:($2 - $4):(0) with vectors nohead lw 0.8 lc rgb GREY, \
  rows using 2:0:ytic(1) with points pt 5 ps 0.8 lc rgb LZMA, \
  rows using 3:0 with points pt 7 ps 0.9 lc rgb REPAIR, \
  rows using 4:0 with points pt 13 ps 1 lc rgb OBDD
eval finished
