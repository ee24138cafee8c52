# Bytes of LZMA blocks, both sides to move, as history.csv: awk -f ../columns.awk -f history.awk report/cells.csv, of the groups `history`
# and `block-size` of papers/published/measure.conf.
BEGIN { print "table,block,bytes" }

col("group") ~ /^(history|block-size)$/ {
  key = col("table") "," setting("block")
  if (!((key, col("side")) in seen))
    bytes[key] += col("bytes")
  seen[key, col("side")]
}
END { for (key in bytes) print key "," bytes[key] | "LC_ALL=C sort -t, -k1,1 -k2,2nr" }
