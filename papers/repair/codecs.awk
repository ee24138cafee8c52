# The rows of codecs.conf as the tables of README.md: awk -f ../columns.awk -f codecs.awk report/cells.csv. Bytes of the streams of all sides to move; a dot
# where a side is missing.
BEGIN { split("frequent left ternary", initial, " ") }

{
  table = col("table") " " col("metric")
  codec = col("codec")
  if (setting("dict") > 0)
    codec = codec " dict=" setting("dict")
  coded = codec == "rle" || codec == "repair"
  large = setting("block") == (coded ? 1024 : 16384)
  key = table SUBSEP codec SUBSEP large SUBSEP setting("initial")
  sum[key] += col("bytes")
  sides[key]++
  if (!(table in seen))
    order[++tables] = table
  seen[table]
  if (!((table SUBSEP codec) in known))
    list[table, ++count[table]] = codec
  known[table, codec]
}

function cell(key) {
  return sides[key] == 2 ? sum[key] : "."
}

END {
  for (t = 1; t <= tables; t++) {
    print "\n| " order[t] " | small: frequent | left | ternary | large: frequent | left | ternary |"
    print "|---|---:|---:|---:|---:|---:|---:|"
    for (c = 1; c <= count[order[t]]; c++) {
      line = "| `" list[order[t], c] "` |"
      for (large = 0; large <= 1; large++)
        for (i = 1; i <= 3; i++)
          line = line " " cell(order[t] SUBSEP list[order[t], c] SUBSEP large SUBSEP initial[i]) " |"
      print line
    }
  }
}
