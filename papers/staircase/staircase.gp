# What each step takes off, WDL and DTM. figures.sh draws it from staircase.csv.
load '../../experiments/report/figures/style.gp'
rows (metric) = sprintf ("< sh ../ask.sh staircase-figure.sql metric %s named %s", metric, metric eq 'wdl' ? 'yes' : 'no')
stats rows ('wdl') using 0 nooutput
steps = STATS_records
eval paper (640, 170 + 26 * steps, 'staircase')
set multiplot
do for [metric in 'wdl dtm'] {
  wdl = metric eq 'wdl'
  eval frame (wdl ? 124 : 394, wdl ? 274 : 24, 110, 60)
  TITLE = wdl ? 'What each step takes off, 35 endings with 3 and 4 men' : ''
  WHAT = ''; BELOW = wdl ? '' : 'bytes, per cent of those of the first step'
  unset label
  unset arrow
  eval heading
  if (wdl) {
    ENTRY = '8 of 10 endings'; eval legend_line (1, GREY, 1)
    ENTRY = 'half of them'; eval legend_line (7, PALE, 1)
    ENTRY = 'geometric mean'; eval legend (7, BLUE)
  }
  set label 1004 (wdl ? 'WDL' : 'DTM') at graph 0, screen down (92) left
  set logscale x
  set xtics ('1 %%' 1, '' 10, '100 %%' 100, '' 1000, '10 000 %%' 10000)
  eval endings
  set xrange [0.4:20000]
  set yrange [steps:-1]
  plot rows (metric) using 3:0:($6 - $3):(0) with vectors nohead lw 1 lc rgb GREY, \
    rows (metric) using 4:0:($5 - $4):(0) with vectors nohead lw 7 lc rgb PALE, \
    rows (metric) using 2:0:ytic(1) with points pt 7 ps 0.8 lc rgb BLUE
}
unset multiplot
eval finished
