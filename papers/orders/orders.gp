# How much the order of the men matters, ending by ending. figures.sh draws it from orders.csv.
load '../../experiments/report/figures/style.gp'
rows (metric) = sprintf ("< sh ../ask.sh orders-figure.sql metric %s", metric)
eval paper (640, narrow ? 1320 : 740, 'orders')
ROOM = 46
set multiplot
do for [metric in 'wdl dtm'] {
  wdl = metric eq 'wdl'
  if (narrow) { eval frame (84, 24, wdl ? 110 : 780, wdl ? 660 : 60) } else { eval frame (wdl ? 84 : 424, wdl ? 300 : 24, 110, 60) }
  TITLE = wdl ? 'Every order of four men: bytes, times those of the best orders' : ''
  WHAT = ''; BELOW = ''
  unset label
  unset arrow
  eval heading
  if (wdl) {
    ENTRY = 'least to most'; eval legend_line (1, GREY, 1)
    ENTRY = 'middle half'; eval legend_line (7, PALE, 1)
    ENTRY = 'median'; eval legend (7, BLUE)
  }
  set label 1004 (wdl ? 'WDL' : 'DTM') at graph 0, 1 left offset 0, 0.8
  eval ticks ('x', 'times', wdl ? 1 : 3)
  eval endings
  set xrange [0.9:wdl ? 100 : 3.2]
  set yrange [-1:30]
  plot rows (metric) using 2:0:($6 - $2):(0) with vectors nohead lw 1 lc rgb GREY, \
    rows (metric) using 3:0:($5 - $3):(0) with vectors nohead lw 7 lc rgb PALE, \
    rows (metric) using 4:0:ytic(1) with points pt 7 ps 0.8 lc rgb BLUE
}
unset multiplot
eval finished
