# Our figure over the published one, document by document. figures.sh draws it from ours.csv and published.csv.
load '../../experiments/report/figures/style.gp'
rows = "< sh ../ask.sh ratios-figure.sql"
stats rows using 4 nooutput
groups = STATS_max + 1
eval paper (640, 130 + 44 * groups, 'ratios')
eval frame (narrow ? 150 : 180, 24, 60, 60)
TITLE = sprintf ('%d published figures, and ours', STATS_records); WHAT = ''; BELOW = 'our figure / the published one'
eval heading
set logscale x
set xtics ('0.001' 0.001, '0.01' 0.01, '0.1' 0.1, '1' 1, '10' 10)
eval endings
set xrange [0.0005:20]
set yrange [groups - 0.5:-0.6]
set arrow from 1, graph 0 to 1, graph 1 nohead lw 1.2 lc rgb GREY
plot rows using 2:($4 + $3):ytic(1) with points pt 7 ps 0.7 lc rgb BLUE
eval finished
