# What each step takes off, WDL and DTM. figures.sh draws it from staircase.csv.
load '../../experiments/report/figures/style.gp'
rows (metric) = sprintf ("< sh ../ask.sh staircase-figure.sql metric %s named %s", metric, narrow ? 'own' : metric eq 'wdl' ? 'yes' : 'no')
stats rows ('dtm') using 0 nooutput
steps = STATS_records
eval paper (640, (narrow ? 290 + 52 * steps : 170 + 26 * steps), 'staircase')
ROOM = 46
set multiplot
do for [metric in 'wdl dtm'] {
  wdl = metric eq 'wdl'
  half = 26 * steps + 110
  if (narrow) { eval frame (124, 24, wdl ? 110 : half + 116, wdl ? half + 70 : 60) } else { eval frame (wdl ? 124 : 394, wdl ? 274 : 24, 110, 60) }
  TITLE = wdl ? 'What each step takes off, 35 endings with 3 and 4 men' : ''
  WHAT = ''; BELOW = wdl ? '' : 'bytes, times those of the first step'
  unset label
  unset arrow
  eval heading
  if (wdl) {
    ENTRY = '8 of 10 endings'; eval legend_line (1, GREY, 1)
    ENTRY = 'half of them'; eval legend_line (7, PALE, 1)
    ENTRY = 'geometric mean'; eval legend (7, BLUE)
  }
  set label 1004 (wdl ? 'WDL' : 'DTM') at graph 0, 1 left offset 0, 0.8
  set logscale x
  set xtics ('1/100' 0.01, '1/10' 0.1, '1' 1, '10' 10, '100' 100)
  eval endings
  set xrange [0.004:200]
  set yrange [steps:-1]
  plot rows (metric) using 3:0:($6 - $3):(0) with vectors nohead lw 1 lc rgb GREY, \
    rows (metric) using 4:0:($5 - $4):(0) with vectors nohead lw 7 lc rgb PALE, \
    rows (metric) using 2:0:ytic(1) with points pt 7 ps 0.8 lc rgb BLUE
}
unset multiplot
eval finished
