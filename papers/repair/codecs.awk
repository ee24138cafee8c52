# The rows of codecs.conf as the tables of README.md: awk -f codecs.awk report/cells.csv. Bytes of the streams of all sides to move; a dot
# where a side is missing.
BEGIN { split("frequent left ternary", initial, " ") }

NR > 1 {
  split($0, part, "\"")                     # settings stand in quotes: key=value,key=value
  split(part[1], before, ",")
  split(part[3], after, ",")
  table = before[4] " " before[5]
  codec = before[11]
  bytes = after[8]
  split("", set)
  n = split(part[2], pair, ",")
  for (i = 1; i <= n; i++) {
    split(pair[i], kv, "=")
    set[kv[1]] = kv[2]
  }
  if (set["dict"] > 0)
    codec = codec " dict=" set["dict"]
  coded = codec == "rle" || codec == "repair"
  large = coded ? set["block"] == 1024 : set["block"] == 16384
  key = table SUBSEP codec SUBSEP large SUBSEP set["initial"]
  sum[key] += bytes
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
