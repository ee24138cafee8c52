# When balancing pays: the time of an iteration with balancing by the time without, over its imbalance. figures.sh draws it from imbalance.csv.
load '../../experiments/report/figures/style.gp'
rows (ranks) = sprintf ("< sh ../ask.sh imbalance-figure.sql ranks %d", ranks)
eval paper (640, 440, 'imbalance')
eval frame (64, 24, 96, 64)
TITLE = 'When balancing pays: iterations of KQvKR and KRvKP'
WHAT = 'time with balancing / time without'; BELOW = 'imbalance / the least that pays by the rule'
eval heading
RANKS = '64 512 4096'
COLOURS = 'BLUE ORANGE MAGENTA'
MARKS = '7 5 9'
do for [i = 1:3] { ENTRY = word (RANKS, i) . ' ranks'; eval legend (int (word (MARKS, i)), value (word (COLOURS, i))) }
set logscale xy
set xtics ('0.0001' 0.0001, '0.01' 0.01, '1' 1, '100' 100)
set ytics ('0.01' 0.01, '0.02' 0.02, '0.05' 0.05, '0.1' 0.1, '0.2' 0.2, '0.5' 0.5, '1' 1, '2' 2, '5' 5, '10' 10, '20' 20)
set xrange [7e-6:4000]
set yrange [0.013:30]
set arrow 900 from 1, graph 0 to 1, graph 1 nohead lw 1.2 dt 2 lc rgb INK
set label 901 'pays, by the rule' at 1.5, 18 left front font SMALL
set label 902 'does not pay' at 0.65, 18 right front font SMALL
plot for [i = 1:3] rows (int (word (RANKS, i))) using 1:2 with points pt int (word (MARKS, i)) ps 0.45 lc rgb value (word (COLOURS, i))
eval finished
