# Makhnychev's two diagrams from balance.csv: speed-up against ranks, and how much of the ranks is used.
#   gnuplot -e "csv='balance.csv'; interval='1'" balance.gp      writes balance-speed.svg and balance-efficiency.svg
if (!exists ("csv")) csv = 'balance.csv'
if (!exists ("interval")) interval = '1'
if (!exists ("out")) out = 'balance'
set datafile separator ','
set terminal svg size 720,540 background '#ffffff' font 'sans,12'
set logscale x 2
set grid
set xlabel 'ranks'
set xrange [48:90000]
# powers of two, and the primes below them; of the columns 4 is the interval, 5 ranks, 6 the variant, 10 the speed-up, 11 the
# efficiency, 13 the predicted speed-up
rows (variant, powers) = sprintf ("< awk -F, '$4 == \"%s\" && $6 == \"%s\" && (log ($5) / log (2) %% 1 == 0) == %d' %s", interval, variant, powers, csv)

set output out . '-speed.svg'
set title sprintf ('Speed-up, q = %s s', interval)
set logscale y 2
set ylabel 'speed-up against one rank'
set key outside bottom center horizontal maxcols 3
plot x title 'perfect' with lines dashtype 2 linecolor '#999999', \
  rows ('plain', 1) using 5:10 title 'plain' with linespoints linecolor '#d55e00' pointtype 7, \
  rows ('mixed', 1) using 5:10 title 'mixed' with linespoints linecolor '#0072b2' pointtype 5, \
  rows ('balanced', 1) using 5:10 title 'balanced' with linespoints linecolor '#009e73' pointtype 9, \
  rows ('balanced', 1) using 5:13 title 'balanced, predicted' with lines dashtype 3 linecolor '#009e73', \
  rows ('mixed+balanced', 1) using 5:10 title 'mixed and balanced' with linespoints linecolor '#cc79a7' pointtype 11, \
  rows ('mixed', 0) using 5:10 title 'mixed, ranks a prime' with linespoints dashtype 2 linecolor '#0072b2' pointtype 4, \
  rows ('mixed+balanced', 0) using 5:10 title 'mixed and balanced, a prime' with linespoints dashtype 2 linecolor '#cc79a7' pointtype 10

set output out . '-efficiency.svg'
set title sprintf ('Efficiency, q = %s s', interval)
unset logscale y
set yrange [0:1]
set ylabel 'speed-up / ranks'
set key outside bottom center horizontal maxcols 3
plot \
  rows ('plain', 1) using 5:11 title 'plain' with linespoints linecolor '#d55e00' pointtype 7, \
  rows ('mixed', 1) using 5:11 title 'mixed' with linespoints linecolor '#0072b2' pointtype 5, \
  rows ('balanced', 1) using 5:11 title 'balanced' with linespoints linecolor '#009e73' pointtype 9, \
  rows ('mixed+balanced', 1) using 5:11 title 'mixed and balanced' with linespoints linecolor '#cc79a7' pointtype 11, \
  rows ('mixed', 0) using 5:11 title 'mixed, ranks a prime' with linespoints dashtype 2 linecolor '#0072b2' pointtype 4, \
  rows ('mixed+balanced', 0) using 5:11 title 'mixed and balanced, a prime' with linespoints dashtype 2 linecolor '#cc79a7' pointtype 10
