# The table of README.md: awk -f ../columns.awk -f captures.awk captures.csv
BEGIN {
  print "| ending | codec | its table, ns | bytes | sub-ending | its table, ns | bytes | times as fast |"
  print "|---|---|---:|---:|---|---:|---:|---:|"
}
col("ending") == col("table") {
  own = col("lookup_ns")
  own_bytes = col("bytes")
  next
}
{
  printf "| %s | `%s` | %s | %s | %s | %s | %s | %.1f |\n", col("ending"), col("codec"), grouped(own), grouped(own_bytes), col("table"),
    grouped(col("lookup_ns")), grouped(col("bytes")), own / col("lookup_ns")
}
