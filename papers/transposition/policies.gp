# Positions searched against the slots of the table: gnuplot -c policies.gp [policies.csv [policies.svg]]
csv = ARGC > 0 ? ARG1 : 'policies.csv'
out = ARGC > 1 ? ARG2 : 'policies.svg'
set datafile separator ','
set terminal svg size 720,480 dynamic noenhanced background '#ffffff' font 'sans-serif,14'
set output out
# slots and millions of nodes; columns are found by their names in the first line
rows (ending, policy) = sprintf ("< awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) col[$i] = i; next } $col[\"ending\"] == \"%s\" && $col[\"policy\"] == \"%s\" { print 2^$col[\"log2_slots\"] \",\" $col[\"nodes\"] / 1e6 }' '%s'", ending, policy, csv)
set logscale x 2
set logscale y
set xrange [900:20000000]
set yrange [3:100]
set xtics ('2^10' 1024, '2^12' 4096, '2^14' 16384, '2^16' 65536, '2^18' 262144, '2^20' 1048576, '2^22' 4194304, '2^24' 16777216)
set xlabel 'slots of the table, 8 bytes each'
set ylabel 'nodes of twenty mates, millions'
set grid lt 1 lc rgb '#9aa4b1' lw 0.4
set border 3 lw 0.8
set tics nomirror
set key top right
set title 'Two policies of replacement: nodes against the size of the table'
plot rows ('KQvKR', 'always') using 1:2 title 'KQvKR, always' with linespoints lw 2 pt 7 lc rgb '#2f7de1', \
  rows ('KQvKR', 'deeper') using 1:2 title 'KQvKR, deeper' with linespoints lw 2 dt 2 pt 6 lc rgb '#2f7de1', \
  rows ('KRvKP', 'always') using 1:2 title 'KRvKP, always' with linespoints lw 2 pt 5 lc rgb '#d9822b', \
  rows ('KRvKP', 'deeper') using 1:2 title 'KRvKP, deeper' with linespoints lw 2 dt 2 pt 4 lc rgb '#d9822b'
