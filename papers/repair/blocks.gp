# Bytes against the size of a block, as multiples of those of 64 KiB. figures.sh draws it from history.csv and ../published/published.csv.
load '../../experiments/report/figures/style.gp'
# block and bytes of all tables (30 of them) or of one; columns are found by their names in the first line
find = 'NR == 1 { for (i = 1; i <= NF; i++) col[$i] = i; next } '
print_all = ' END { for (b in bytes) if (n[b] >= least) print b, bytes[b] / bytes[65536] }'
ours (tables, least) = sprintf ("< awk -F, -v least=%d '%s $col[\"table\"] ~ /%s/ { bytes[$col[\"block\"]] += $col[\"bytes\"]; n[$col[\"block\"]]++ } %s' history.csv | sort -k1,1n", least, find, tables, print_all)
theirs = sprintf ("< awk -F, '%s $col[\"source\"] == \"kristensen2005\" && $col[\"table\"] == \"block size\" { bytes[$col[\"row\"]] = $col[\"value\"]; n[$col[\"row\"]]++ } %s' ../published/published.csv | sort -k1,1n", find, print_all)
eval paper (640, 420, 'blocks')
eval frame (60, 24, 96, 64)
TITLE = 'LZMA, DTM, nothing free: bytes against the size of a block'; WHAT = 'bytes, times those in blocks of 64 KiB'
BELOW = 'block, bytes before coding'
eval heading
ENTRY = 'all 30 endings with 4 men'; eval legend (7, BLUE)
ENTRY = 'KRvKP'; eval legend (5, ORANGE)
ENTRY = 'KRKP of Kristensen 2005'; eval legend (9, GREEN)
eval binary_ticks ('x', 'binary', 2)
set xrange [200:2600000]
set yrange [0.7:2.5]
plot ours ('.', 30) using 1:2 with linespoints lw 2 pt 7 lc rgb BLUE, \
  ours ('^KRvKP$', 1) using 1:2 with linespoints lw 2 pt 5 lc rgb ORANGE, \
  theirs using 1:2 with linespoints lw 2 pt 9 lc rgb GREEN
eval finished
