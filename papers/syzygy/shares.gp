# Our Syzygy files beside the public ones. figures.sh draws it from recompressed.csv, recompressed_high.csv and exported.csv.
load '../../experiments/report/figures/style.gp'
rows = "< sh ../ask.sh shares-figure.sql"
eval paper (640, 760, 'shares')
eval frame (84, 24, 70, 60)
TITLE = 'Syzygy files that subdef writes, the largest on top'; WHAT = ''; BELOW = 'bytes, per cent of the public file'
eval heading
ENTRY = '.rtbw --high'; eval legend (13, MAGENTA)
ENTRY = '.rtbw'; eval legend (7, BLUE)
ENTRY = '.rtbz'; eval legend (9, GREEN)
eval endings
if (narrow) { set xtics ('40 %%' 40, '60 %%' 60, '80 %%' 80, '100 %%' 100) } else { set xtics ('40 %%' 40, '50 %%' 50, '60 %%' 60, '70 %%' 70, '80 %%' 80, '90 %%' 90, '100 %%' 100) }
set xrange [40:104]
set yrange [-1:35]
set arrow from 100, graph 0 to 100, graph 1 nohead lw 1.2 lc rgb GREY
plot rows using 4:0:ytic(1) with points pt 9 ps 0.9 lc rgb GREEN, \
  rows using 2:0 with points pt 7 ps 0.9 lc rgb BLUE, \
  rows using 3:0 with points pt 13 ps 0.9 lc rgb MAGENTA
eval finished
