# The rows of table1.conf as table1.csv: awk -f table1.awk report/cells.csv. Bytes of the streams of all sides to move; empty: a side
# is missing. without, alg1, alg2: S0's (captures bound); edges: ours; promotion_...: promotions bound, too.
BEGIN { print "table,without,alg1,alg2,edges,promotion_alg2,promotion_left,promotion_edges,promotion_larger" }

NR > 1 {
  split($0, part, "\"")                     # settings stand in quotes
  split(part[1], before, ",")
  split(part[3], after, ",")
  split(part[2], setting, ",")
  table = before[4]
  group = before[3]
  if (group ~ /probe/)
    next
  way = (group ~ /promotion/ ? "promotion " : "") setting[1]
  if (!(table in seen)) {
    seen[table] = 1
    name[++n] = table
  }
  bytes[table, way] += after[8]
  count[table, way]++
  most = count[table, way]
  sides[table] = most > sides[table] ? most : sides[table]
}

END {
  split("initial=full|initial=alg1+full|initial=alg2+full|initial=edges:8|promotion initial=alg2+full|" \
        "promotion initial=left|promotion initial=edges:8|promotion initial=larger:8", ways, "|")
  for (i = 1; i <= n; i++) {
    line = name[i]
    for (w = 1; w <= 8; w++)
      line = line "," (count[name[i], ways[w]] == sides[name[i]] ? bytes[name[i], ways[w]] : "")
    print line
  }
}
