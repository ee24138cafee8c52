# The orders of orders.conf as orders-wdl.csv: awk -f ../columns.awk -f orders.awk report/orders.csv; as orders-dtm.csv: awk -v metric=dtm -f ...
BEGIN { if (metric == "") metric = "wdl"; print "table,side,orders,best_order,best_bytes,worst_order,worst_bytes,mean_bytes,worst_by_best,best_below_mean_percent" }

col("metric") == metric {
  printf "%s,%s,%d,%s,%d,%s,%d,%d,%.2f,%.1f\n", col("table"), col("side"), col("orders"), col("best_order"), col("min"),
    col("worst_order"), col("max"), col("mean"), col("max") / col("min"), 100 * (1 - col("min") / col("mean"))
}
