# The rows of final.conf: awk -f ../columns.awk -f final.awk report/cells.csv prints final.csv; awk -v table=1 ... final.csv prints the table
# of README.md.
BEGIN { if (!table) print "table,metric,side,initial,pair,longest_bytes,frequent_bytes" }

!table {
  key = col("table") "," col("metric") "," col("side") "," setting("initial") "," setting("pair")
  bytes[key, setting("final")] = col("bytes")
  keys[key]
}
table {
  kind = "| `" col("initial") "` | `" col("pair") "` |"
  if (!(kind in trials))
    list[++n] = kind
  trials[kind]++
  same[kind] += col("longest_bytes") == col("frequent_bytes")
  longest[kind] += col("longest_bytes")
  frequent[kind] += col("frequent_bytes")
}
END {
  if (!table) {
    for (key in keys)
      print key "," bytes[key, "longest"] "," bytes[key, "frequent"] | "LC_ALL=C sort"
    exit
  }
  print "| filled before | pairs | trials | with the same bytes | `longest`, bytes | `frequent`, bytes | |"
  print "|---|---|---:|---:|---:|---:|---:|"
  for (i = 1; i <= n; i++)
    printf "%s %d | %d | %s | %s | %.3f |\n", list[i], trials[list[i]], same[list[i]], grouped(longest[list[i]]), grouped(frequent[list[i]]),
      longest[list[i]] / frequent[list[i]]
}
