# Bytes against the size of a block, as multiples of those of 64 kB: gnuplot -c blocks.gp [history.csv [published.csv [blocks.svg]]]
csv = ARGC > 0 ? ARG1 : 'history.csv'
published = ARGC > 1 ? ARG2 : '../published/published.csv'
out = ARGC > 2 ? ARG3 : 'blocks.svg'
set datafile separator ','
set terminal svg size 720,480 dynamic noenhanced background '#ffffff' font 'sans-serif,14'
set output out
# block and bytes of all tables (30 of them) or of one; columns are found by their names in the first line
find = 'NR == 1 { for (i = 1; i <= NF; i++) col[$i] = i; next } '
print_all = ' END { for (b in bytes) if (n[b] >= least) print b "," bytes[b] / bytes[65536] }'
ours (tables, least) = sprintf ("< awk -F, -v least=%d '%s $col[\"table\"] ~ /%s/ { bytes[$col[\"block\"]] += $col[\"bytes\"]; n[$col[\"block\"]]++ } %s' '%s' | sort -t, -k1,1n", least, find, tables, print_all, csv)
theirs = sprintf ("< awk -F, '%s $col[\"source\"] == \"kristensen2005\" && $col[\"table\"] == \"block size\" { bytes[$col[\"row\"]] = $col[\"value\"]; n[$col[\"row\"]]++ } %s' '%s' | sort -t, -k1,1n", find, print_all, published)
set logscale x 2
set xrange [200:2600000]
set yrange [0.7:2.5]
set xtics ('256 bytes' 256, '1 kB' 1024, '4 kB' 4096, '16 kB' 16384, '64 kB' 65536, '256 kB' 262144, '1 MB' 1048576)
set xlabel 'block, bytes of uncompressed values'
set ylabel 'bytes / bytes in blocks of 64 kB'
set grid lt 1 lc rgb '#9aa4b1' lw 0.4
set border 3 lw 0.8
set tics nomirror
set key top right
set title 'LZMA: bytes against the size of a block (DTM, nothing free)'
plot ours ('.', 30) using 1:2 title 'all 30 endings with 4 men' with linespoints lw 2 pt 7 lc rgb '#2f7de1', \
  ours ('^KRvKP$', 1) using 1:2 title 'KRvKP' with linespoints lw 2 pt 5 lc rgb '#d9822b', \
  theirs using 1:2 title 'KRKP, Kristensen 2005' with linespoints lw 2 pt 9 lc rgb '#7d6b95'
