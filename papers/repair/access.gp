# Time of a whole probe against the size of an LZMA block, warm and cold: gnuplot -c access.gp [access.csv [cold.csv [access.svg]]]
csv = ARGC > 0 ? ARG1 : 'access.csv'
cold = ARGC > 1 ? ARG2 : 'cold.csv'
out = ARGC > 2 ? ARG3 : 'access.svg'
set datafile separator ','
set terminal svg size 720,540 dynamic noenhanced background '#ffffff' font 'sans-serif,14'
set output out
find = 'NR == 1 { for (i = 1; i <= NF; i++) col[$i] = i; next } '
warm (ending) = sprintf ("< awk -F, '%s $col[\"table\"] == \"%s\" && $col[\"codec\"] == \"lzma\" { print $col[\"block\"] \",\" $col[\"probe_ns\"] / 1000 }' '%s'", find, ending, csv)
cold_of (what) = sprintf ("< awk -F, '%s $col[\"codec\"] == \"lzma\" && $col[\"reading\"] == \"page\" { print $col[\"block\"] \",\" $col[\"%s\"] }' '%s'", find, what, cold)
set logscale xy
set logscale x 2
set xrange [800:330000]
set xtics ('1 kB' 1024, '4 kB' 4096, '16 kB' 16384, '64 kB' 65536, '256 kB' 262144)
set xlabel 'block, bytes of uncompressed values'
set ylabel 'microseconds a probe'
set grid lt 1 lc rgb '#9aa4b1' lw 0.4
set border 3 lw 0.8
set tics nomirror
set key outside bottom center horizontal maxcols 4
set title 'LZMA: time of a whole probe against the size of a block (DTM, nothing free)'
colours = '#2f7de1 #d9822b #7d6b95 #2a9d5c #c0392b #5b6673'
plot for [i = 1:6] warm (word ('KQvK KPvK KQQvK KQvKR KBNvK KRvKP', i)) using 1:2 title word ('KQvK KPvK KQQvK KQvKR KBNvK KRvKP', i) \
    with linespoints lw 1.5 pt 7 ps 0.6 lc rgb word (colours, i), \
  cold_of ('cold_us') using 1:2 title 'KRvKP, cold' with linespoints lw 2 dt 2 pt 5 lc rgb '#5b6673', \
  x / 1024 * 6 title 'proportional to the block' with lines dt 3 lc rgb '#9aa4b1'
