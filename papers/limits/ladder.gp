# The ladder of limits.csv: sums over all endings of each figure, WDL and DTM, the longest bar on top. figures.sh draws it.
# A figure that some ending of a metric lacks has no bar there.
load '../../experiments/report/figures/style.gp'
sums (metric) = sprintf ("< sh ../ask.sh ladder-figure.sql metric %s", metric)
colour (kind) = kind eq 'codec' ? 0x2f7de1 : kind eq 'mixing' ? 0xc96a12 : kind eq 'neighbours' ? 0xc93f82 : 0x7a818c # BLUE, ORANGE, MAGENTA, GREY
mark (kind) = kind eq 'codec' ? 7 : kind eq 'mixing' ? 13 : kind eq 'neighbours' ? 9 : 5
name (text) = narrow ? wrap (text, 27) : text

eval paper (640, narrow ? 1410 : 960, 'ladder')
ROOM = 46
set multiplot
do for [metric in 'wdl dtm'] {
  wdl = metric eq 'wdl'
  eval frame (narrow ? 212 : 296, 24, wdl ? 108 : narrow ? 934 : 540, wdl ? (narrow ? 578 : 484) : 60)
  TITLE = wdl ? 'How short: bounds, estimates and codecs' : ''; WHAT = ''; BELOW = wdl ? '' : 'bytes, both sides, all endings of the file'
  unset label
  unset arrow
  eval heading
  if (wdl) {
    ENTRY = 'codecs'; eval legend (7, BLUE)
    ENTRY = 'estimates by mixing'; eval legend (13, ORANGE)
    ENTRY = 'neighbours'; eval legend (9, MAGENTA)
    ENTRY = 'entropy'; eval legend (5, GREY)
  }
  set xrange [*:*]
  set yrange [*:*]
  unset logscale x
  stats sums (metric) using 5 nooutput
  best = STATS_max
  set arrow from best, graph 0 to best, graph 1 nohead lw 1.2 lc rgb INK
  set label 'smallest known' at best, graph 1 left offset 0.6,-0.8 font SMALL
  set label 1004 (wdl ? 'WDL' : 'DTM') at graph 0, 1 left offset 0, 0.8
  eval endings
  stats sums (metric) using 2 nooutput
  eval ticks ('x', 'bytes', wdl ? 1 : 3)
  set xrange [(STATS_min < best ? STATS_min : best) / 1.3:STATS_max * 1.3]
  set yrange [STATS_records + 0.7:0.3]
  plot sums (metric) using 2:1:(mark (strcol (3))):(colour (strcol (3))):ytic(name (strcol (4))) with points pt variable ps 1 lc rgb variable
}
unset multiplot
eval finished
