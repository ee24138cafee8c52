# Positions searched against the slots of the table. figures.sh draws it from policies.csv.
load '../../experiments/report/figures/style.gp'
rows (ending, policy) = sprintf ("< sh ../ask.sh policies-figure.sql ending %s policy %s", ending, policy)
eval paper (640, 440, 'policies')
eval frame (60, 24, 96, 64)
TITLE = 'Two policies of replacement'; WHAT = 'million nodes for twenty mates'; BELOW = 'slots of the table, 8 bytes each'
eval heading
ENTRY = 'KQvKR, always'; eval legend (7, BLUE)
ENTRY = 'KQvKR, deeper'; eval legend (6, BLUE)
ENTRY = 'KRvKP, always'; eval legend (5, ORANGE)
ENTRY = 'KRvKP, deeper'; eval legend (4, ORANGE)
eval ticks ('y', 'number', 3)
set logscale x 2
set xtics ('2¹⁰' 1024, '2¹²' 4096, '2¹⁴' 16384, '2¹⁶' 65536, '2¹⁸' 262144, '2²⁰' 1048576, '2²²' 4194304, '2²⁴' 16777216)
set xrange [900:20000000]
set yrange [3:100]
plot rows ('KQvKR', 'always') using 1:2 with linespoints lw 2 pt 7 lc rgb BLUE, \
  rows ('KQvKR', 'deeper') using 1:2 with lines lw 1.2 lc rgb BLUE, rows ('KQvKR', 'deeper') using 1:2 with points pt 7 lc rgb PAPER, \
  rows ('KQvKR', 'deeper') using 1:2 with points pt 6 lw 1.4 lc rgb BLUE, \
  rows ('KRvKP', 'always') using 1:2 with linespoints lw 2 pt 5 lc rgb ORANGE, \
  rows ('KRvKP', 'deeper') using 1:2 with lines lw 1.2 lc rgb ORANGE, rows ('KRvKP', 'deeper') using 1:2 with points pt 5 lc rgb PAPER, \
  rows ('KRvKP', 'deeper') using 1:2 with points pt 4 lw 1.4 lc rgb ORANGE
eval finished
