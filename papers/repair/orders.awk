# The orders of orders.conf as orders-wdl.csv: awk -f orders.awk report/orders.csv; as orders-dtm.csv: awk -v metric=dtm -f ...
BEGIN { if (metric == "") metric = "wdl"; print "table,side,orders,best_order,best_bytes,worst_order,worst_bytes,mean_bytes,worst_by_best,best_below_mean_percent" }

NR > 1 {
  split($0, part, "\"")                     # settings stand in quotes
  split(part[1], before, ",")
  split(part[3], f, ",")                    # freedom, orders, best_order, min, 5 quantiles, max, worst_order, mean
  if (before[2] == metric)
    printf "%s,%s,%d,%s,%d,%s,%d,%d,%.2f,%.1f\n", before[1], before[3], f[3], f[4], f[5], f[12], f[11], f[13],
      f[11] / f[5], 100 * (1 - f[5] / f[13])
}
