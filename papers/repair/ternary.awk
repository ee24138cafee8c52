# Lookups and probes of WDL beside DTM: awk -f ../columns.awk -f ternary.awk report/cells.csv prints ternary.csv, both sides to move (means of
# their medians and of the bounds of these); awk -v table=1 ... ternary.csv prints the table of dtm.md. What `busy` says: cores that other programs used.
BEGIN { if (!table) print "table,codec,block,metric,get_ns,get_low_ns,get_high_ns,probe_ns,probe_low_ns,probe_high_ns,busy_cores" }
!table && col("get_ns") != "" {
  key = col("table") "," col("codec") "," setting("block") "," col("metric")
  n[key]++
  for (i = split("get_ns get_low_ns get_high_ns probe_ns probe_low_ns probe_high_ns", name, " "); i > 0; i--)
    sum[key, i] += col(name[i])
  if (col("busy_cores") + 0 > busy[key])
    busy[key] = col("busy_cores") + 0
}
table {
  t = col("table")
  c = col("codec") " " col("block")
  if (!((t, c) in seen)) {
    seen[t, c]
    row[++rows] = t SUBSEP c
  }
  for (i = split("get_ns get_low_ns get_high_ns probe_ns probe_low_ns probe_high_ns", name, " "); i > 0; i--)
    ns[t, c, col("metric"), name[i]] = col(name[i])
}
function pair(what,   wdl, dtm, low, high) { # WDL, DTM, how many times as long, and the least and the most by the bounds of both
  wdl = ns[row[r], "wdl", what "_ns"]
  dtm = ns[row[r], "dtm", what "_ns"]
  low = ns[row[r], "dtm", what "_low_ns"] / ns[row[r], "wdl", what "_high_ns"]
  high = ns[row[r], "dtm", what "_high_ns"] / ns[row[r], "wdl", what "_low_ns"]
  return sprintf(" %s | %s | %.1f (%.1f to %.1f) |", grouped(wdl), grouped(dtm), dtm / wdl, low, high)
}
END {
  if (!table) {
    for (key in n) {
      line = key
      for (i = 1; i <= 6; i++)
        line = line sprintf(",%.1f", sum[key, i] / n[key])
      print line sprintf(",%.2f", busy[key]) | "LC_ALL=C sort -t, -k2,2r -k3,3n -k1,1 -k4,4r"
    }
    exit
  }
  print "| codec, block | ending | slot: WDL, ns | DTM, ns | times | probe: WDL, ns | DTM, ns | times |"
  print "|---|---|---:|---:|---:|---:|---:|---:|"
  for (r = 1; r <= rows; r++) {
    split(row[r], part, SUBSEP)
    sub(/ /, "`, ", part[2])
    print "| `" part[2] " | " part[1] " |" pair("get") pair("probe")
  }
}
