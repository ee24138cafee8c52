# The tight and the simple index: awk -f ../columns.awk -f index.awk report/cells.csv... prints index.csv, a line for each ending, metric and
# side, of the groups `tight` and `simple`; awk -v table=1 ... index.csv prints the table of README.md.
BEGIN {
  if (!table)
    print "table,metric,side,tight_orders,tight_order,tight_bytes,tight_slots,simple_orders,simple_order,simple_bytes,simple_slots"
}

!table && col("group") ~ /^(tight|simple|orders)$/ && col("codec") == "repair" && setting("block") == 128 {
  key = col("table") "," col("metric") "," col("side")
  kind = col("group") == "tight" ? "tight" : "simple"
  if (seen[key, kind, col("order")]++)
    next
  orders[key, kind]++
  if (!((key, kind) in least) || col("bytes") + 0 < least[key, kind]\
      || (col("bytes") + 0 == least[key, kind] && col("order") < best[key, kind])) {
    least[key, kind] = col("bytes") + 0
    best[key, kind] = col("order")
  }
  slots[key, kind] = col("slots")
  keys[key]
}

table {
  m = col("metric")
  men = length(col("table")) - 1
  if (!col("tight_orders") || !col("simple_orders"))
    next
  ending[m, col("table")]
  tight[m, col("table")] += col("tight_bytes")
  simple[m, col("table")] += col("simple_bytes")
  tight_raw[m, col("table")] += col("tight_slots")
  simple_raw[m, col("table")] += col("simple_slots")
}

function line (what, m, pattern,   k, part, n, t, s, tr, sr, log_sum, wins, worst, worst_of, least_ratio, least_of, r) {
  least_ratio = 1e9
  for (k in ending) {
    split(k, part, SUBSEP)
    if (part[1] != m || part[2] !~ pattern || simple[k] < 1000)
      continue
    r = simple[k] / tight[k]
    n++
    t += tight[k]
    s += simple[k]
    tr += tight_raw[k]
    sr += simple_raw[k]
    log_sum += log(r)
    wins += r < 1
    if (r > worst) {
      worst = r
      worst_of = part[2]
    }
    if (r < least_ratio) {
      least_ratio = r
      least_of = part[2]
    }
  }
  if (n)
    printf "| %s | %d | %.2f | %s | %s | %.3f | %.3f | %d | %.2f (%s) | %.2f (%s) |\n", what, n, sr / tr, grouped(t), grouped(s), s / t,
      exp(log_sum / n), wins, least_ratio, least_of, worst, worst_of
}

END {
  if (!table) {
    for (key in keys)
      printf "%s,%d,%s,%s,%s,%d,%s,%s,%s\n", key, orders[key, "tight"], best[key, "tight"], least[key, "tight"], slots[key, "tight"],
        orders[key, "simple"], best[key, "simple"], least[key, "simple"], slots[key, "simple"] | "LC_ALL=C sort"
    exit
  }
  print "| best order of each | endings | slots, simple / tight | tight, bytes | simple, bytes | simple / tight | geometric mean | simple is smaller | least | most |"
  print "|---|---:|---:|---:|---:|---:|---:|---:|---|---|"
  line("WDL", "wdl", ".")
  line("WDL, without pawns", "wdl", "^[^P]*$")
  line("WDL, with pawns", "wdl", "P")
  line("DTM", "dtm", ".")
  line("DTM, without pawns", "dtm", "^[^P]*$")
  line("DTM, with pawns", "dtm", "P")
}
