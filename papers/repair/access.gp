# Time of a whole probe against the size of an LZMA block, warm and cold. figures.sh draws it from access.csv and cold.csv.
load '../../experiments/report/figures/style.gp'
times (of) = sprintf ("< sh ../ask.sh access-figure.sql of %s", of)
cold = times ('cold')
eval paper (640, 480, 'access')
eval frame (64, 24, 116, 64)
TITLE = 'LZMA, DTM, no freedom: time against the size of a block'; WHAT = 'median time of a whole probe'; BELOW = 'block, bytes before coding'
eval heading
ENDINGS = 'KQvK KPvK KQQvK KQvKR KBNvK KRvKP'
COLOURS = 'BLUE ORANGE GREEN MAGENTA CYAN GREY'
MARKS = '7 5 9 11 13 15'
do for [i = 1:6] { ENTRY = word (ENDINGS, i); eval legend (int (word (MARKS, i)), value (word (COLOURS, i))) }
ENTRY = 'KRvKP, cold'; eval legend (14, GREY)
ENTRY = 'as the block'; eval legend_line (1.2, INK, 3)
eval ticks ('y', 'time', 1)
eval binary_ticks ('x', 'binary', narrow ? 4 : 2)
set xrange [800:330000]
set yrange [1e3:3e6]
plot x / 1024 * 6e3 with lines lw 1.2 dt 3 lc rgb INK, \
  for [i = 1:6] times (word (ENDINGS, i)) using 1:2 with linespoints lw 1.6 pt int (word (MARKS, i)) ps 0.8 lc rgb value (word (COLOURS, i)), \
  cold using 1:2 with lines lw 1.6 lc rgb GREY, cold using 1:2 with points pt 15 lc rgb PAPER, cold using 1:2 with points pt 14 lw 1.4 lc rgb GREY
eval finished
