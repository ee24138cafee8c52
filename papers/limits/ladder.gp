# The ladder of limits.csv: sums over all endings of each figure, WDL and DTM, the longest bar on top.
#   gnuplot -e "csv='limits.csv'" ladder.gp      writes ladder.svg
# A figure that cannot be made for some ending of a metric (bytes below zero) has no bar there.
if (!exists ("csv")) csv = 'limits.csv'
if (!exists ("out")) out = 'ladder.svg'
set datafile separator ','
set terminal svg size 800,960 dynamic noenhanced background '#ffffff' font 'sans-serif,14'
set output out
# a line each: metric, place from above, thousand bytes, figure; columns are found by their names in the first line
sums (metric) = sprintf ("< awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) col[$i] = i; next } $col[\"metric\"] == \"%s\" { \
  of = $col[\"of\"]; gsub (/\"/, \"\", of); if ($col[\"bytes\"] < 0) { missing[of] = 1; next } kind[of] = $col[\"kind\"]; bytes[of] += $col[\"bytes\"] } \
  END { for (of in bytes) if (! (of in missing)) print bytes[of] / 1000 \",\" kind[of] \",\" of }' '%s' | sort -t, -k1,1gr -k3,3 | awk '{ print NR \",\" $0 }'", metric, csv)
colour (kind) = kind eq 'codec' ? 0x2f7de1 : kind eq 'mixing' ? 0xd9822b : kind eq 'neighbours' ? 0x7d6b95 : 0x9aa4b1
set multiplot layout 2,1 title 'How short: bounds (grey, violet), estimates (orange) and codecs (blue)'
set style fill solid 0.9 noborder
set logscale x
set yrange [*:*] reverse
set lmargin 38
set xtics (0.1, 1, '10' 10, '20' 20, '50' 50, '100' 100, '200' 200, '500' 500, '1,000' 1000, '2,000' 2000, \
  '5,000' 5000, '10,000' 10000, '20,000' 20000, '50,000' 50000, '100,000' 100000)
set grid xtics lt 1 lc rgb '#9aa4b1' lw 0.4
set border 3 lw 0.8
set tics nomirror
unset key
do for [metric in 'wdl dtm'] {
  set title metric eq 'wdl' ? 'WDL' : 'DTM'
  stats sums (metric) using 2 nooutput
  from = STATS_min / 2
  set xrange [from:STATS_max * 1.5]
  set xlabel metric eq 'wdl' ? '' : 'thousand bytes, both sides, all endings of the file'
  plot sums (metric) using (from):1:(from):2:($1 - 0.38):($1 + 0.38):(colour (strcol (3))):ytic(4) with boxxyerror lc rgb variable
}
unset multiplot
