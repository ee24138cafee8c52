# The rows of table1.conf as table1.csv: awk -f ../columns.awk -f table1.awk report/cells.csv. Bytes of the streams of all sides to move; empty: a side
# is missing. without, alg1, alg2: those of Zakharov et al. (captures bound); edges: ours; promotion_...: promotions bound, too.
BEGIN { print "table,without,alg1,alg2,edges,promotion_alg2,promotion_left,promotion_edges,promotion_larger" }

col("group") !~ /probe/ {
  table = col("table")
  way = (col("group") ~ /promotion/ ? "promotion " : "") "initial=" setting("initial")
  if (!(table in seen)) {
    seen[table] = 1
    name[++n] = table
  }
  bytes[table, way] += col("bytes")
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
    print line | "LC_ALL=C sort"
  }
}
