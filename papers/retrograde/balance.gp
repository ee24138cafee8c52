# Makhnychev's two diagrams, speed-up against ranks and how much of the ranks is used; -e "PART = 'speed'" or 'efficiency'. figures.sh draws
# them from balance.csv.
load '../../experiments/report/figures/style.gp'
if (!exists ("PART")) PART = 'speed'
rows (variant, ranks, figure) = sprintf ("< sh ../ask.sh balance-figure.sql variant %s ranks %s figure %s", variant, ranks, figure)
speed = PART eq 'speed'
column_of_part = speed ? 'speedup' : 'efficiency'
eval paper (640, 480, 'balance-' . PART)
eval frame (64, 24, 116, 64)
TITLE = speed ? 'Speed-up, states exchanged each second' : 'Efficiency, states exchanged each second'
WHAT = speed ? 'times one rank' : 'speed-up / ranks'; BELOW = 'ranks'
eval heading
VARIANTS = 'plain mixed balanced mixed+balanced'
COLOURS = 'GREY BLUE GREEN MAGENTA'
MARKS = '5 7 9 13'
do for [i = 1:4] { ENTRY = word (VARIANTS, i); eval legend (int (word (MARKS, i)), value (word (COLOURS, i))) }
ENTRY = 'mixed, ranks a prime'; eval legend (6, BLUE)
ENTRY = 'mixed+balanced, a prime'; eval legend (12, MAGENTA)
if (speed) { ENTRY = 'the ideal'; eval legend_line (1.2, INK, 3) }
eval binary_ticks ('x', 'number', 2)
set xrange [48:90000]
if (speed) { eval binary_ticks ('y', 'number', 2); set yrange [8:90000] } else { set yrange [0:1.04] }
plot (speed ? x : NaN) with lines lw 1.2 dt 3 lc rgb INK, \
  for [i = 1:4] rows (word (VARIANTS, i), 'powers', column_of_part) using 1:2 with linespoints lw 1.6 pt int (word (MARKS, i)) ps 0.8 lc rgb value (word (COLOURS, i)), \
  rows ('mixed', 'primes', column_of_part) using 1:2 with lines lw 4 lc rgb PALE, \
  rows ('mixed+balanced', 'primes', column_of_part) using 1:2 with lines lw 1.2 dt 2 lc rgb MAGENTA, \
  rows ('mixed+balanced', 'primes', column_of_part) using 1:2 with points pt 12 ps 1.4 lw 1.4 lc rgb MAGENTA, \
  rows ('mixed', 'primes', column_of_part) using 1:2 with points pt 7 ps 0.7 lc rgb PAPER, \
  rows ('mixed', 'primes', column_of_part) using 1:2 with points pt 6 ps 0.7 lw 1.4 lc rgb BLUE
eval finished
