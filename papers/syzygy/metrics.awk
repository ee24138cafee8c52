# The rows of metrics.csv from the cells of both sweeps: awk -f ../columns.awk -f metrics.awk m/cells.csv m50/cells.csv.
BEGIN { print "table,metric,codec,positions,bytes,smaller_side" }
{
  key = col("table") "," col("metric") "," col("codec")
  positions[key] += col("positions")
  bytes[key] += col("bytes")
  if (!(key in one) || col("bytes") + 0 < one[key])
    one[key] = col("bytes") + 0
}
END {
  for (key in bytes)
    print key "," positions[key] "," bytes[key] "," one[key] | "LC_ALL=C sort"
}
