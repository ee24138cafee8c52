# The rows of huffman.conf: awk -f ../columns.awk -f huffman.awk report/cells.csv prints huffman.csv, bytes of both sides to move.
BEGIN { print "table,metric,slots,symbols_bytes,words_bytes,repair_bytes" }
{
  key = col("table") "," col("metric")
  slots[key] += col("codec") == "repair" ? col("slots") : 0
  bytes[key, col("codec") == "repair" ? "repair" : setting("word")] += col("bytes")
  keys[key]
}
END {
  for (key in keys)
    print key "," slots[key] "," bytes[key, 1] "," bytes[key, 0] "," bytes[key, "repair"] | "LC_ALL=C sort -t, -k2,2r -k1,1"
}
