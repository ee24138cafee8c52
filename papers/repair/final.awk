# The rows of final.conf: awk -f ../columns.awk -f final.awk report/cells.csv prints final.csv.
BEGIN { print "table,metric,side,initial,pair,longest_bytes,frequent_bytes" }
{
  key = col("table") "," col("metric") "," col("side") "," setting("initial") "," setting("pair")
  bytes[key, setting("final")] = col("bytes")
  keys[key]
}
END {
  for (key in keys)
    print key "," bytes[key, "longest"] "," bytes[key, "frequent"] | "LC_ALL=C sort"
}
