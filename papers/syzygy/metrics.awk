# The rows of metrics.csv from the cells of both sweeps: awk -f ../columns.awk -f metrics.awk m/cells.csv m50/cells.csv. With -v table=1 and
# metrics.csv the tables of README.md.
BEGIN {
  if (!table)
    print "table,metric,codec,positions,bytes,smaller_side"
}
!table {
  key = col("table") "," col("metric") "," col("codec")
  positions[key] += col("positions")
  bytes[key] += col("bytes")
  if (!(key in one) || col("bytes") + 0 < one[key])
    one[key] = col("bytes") + 0
  next
}
{
  c = col("codec")
  m = col("metric")
  sum[m, c] += col("bytes")
  at[col("table"), m, c] = col("bytes")
  side[col("table"), m, c] = col("smaller_side")
  if (m == "wdl" && c == "repair") {
    all += col("positions")
    ending[++endings] = col("table")
  }
}
function least (e, m,   a, b) {
  a = at[e, m, "repair"]
  b = at[e, m, "obdd"]
  return a < b ? a : b
}
function line (m, of,   i, n, fewest) {
  for (i = 1; i <= endings; i++)
    n += least(ending[i], m)
  printf "| %s | %s | %s | %s | %.3f | %.3f | %.3f |\n", of, grouped(sum[m, "repair"]), grouped(sum[m, "obdd"]), grouped(n),
         8 * sum[m, "repair"] / all, 8 * sum[m, "obdd"] / all, 8 * n / all
}
END {
  for (key in bytes)
    print key "," positions[key] "," bytes[key] "," one[key] | "LC_ALL=C sort"
  if (!table)
    exit
  print "| metric | `repair`, bytes | `obdd`, bytes | the smaller one of each ending | `repair`, bits | `obdd`, bits | smaller, bits |"
  print "|---|---:|---:|---:|---:|---:|---:|"
  line("wdl", "WDL")
  line("wdl50", "WDL50")
  line("dtz50", "DTZ50")
  line("dtm", "DTM")
  for (i = 1; i <= endings; i++) {
    e = ending[i]
    w += least(e, "wdl50")
    d += side[e, "dtz50", "repair"] < side[e, "dtz50", "obdd"] ? side[e, "dtz50", "repair"] : side[e, "dtz50", "obdd"]
  }
  printf "| WDL50, and DTZ50 of one side to move | | | %s | | | %.3f |\n", grouped(w + d), 8 * (w + d) / all
  print ""
  print "| ending | WDL | WDL50 | DTZ50 | DTM | DTZ50 by WDL50 | DTM by DTZ50 |"
  print "|---|---:|---:|---:|---:|---:|---:|"
  for (i = 1; i <= endings; i++) {
    e = ending[i]
    if (least(e, "dtz50") < 1000)
      continue # nearly everything drawn: heads of files
    printf "| %s | %s | %s | %s | %s | %.1f | %.1f |\n", e, grouped(least(e, "wdl")), grouped(least(e, "wdl50")), grouped(least(e, "dtz50")),
           grouped(least(e, "dtm")), least(e, "dtz50") / least(e, "wdl50"), least(e, "dtm") / least(e, "dtz50")
  }
}
