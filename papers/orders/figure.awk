# How far the piece orders of an ending lie apart: awk -v metric=wdl -f ../columns.awk -f figure.awk orders.csv. Of each order the
# bytes of both sides to move by those of the best order of each side; a line each ending, by rising median: ending, least, quartiles,
# most. Endings with 4 men, of which every order was measured in both metrics.
col("metric") == metric && length(col("table")) == 5 {
  stream = col("table") " " col("side")
  order = col("table") " " col("order")
  gsub(/!/, "", order)
  if (!((order, col("side")) in seen) || col("bytes") + 0 < seen[order, col("side")])
    seen[order, col("side")] = col("bytes") + 0
  if (!(stream in best) || col("bytes") + 0 < best[stream])
    best[stream] = col("bytes") + 0
}
function quantile(v, n, q,   at, low) { # of v[1..n], which rise
  at = 1 + q * (n - 1)
  low = int(at)
  return low == n ? v[n] : v[low] + (at - low) * (v[low + 1] - v[low])
}
END {
  for (key in seen) {
    split(key, part, SUBSEP)
    sum[part[1]] += seen[key]
  }
  for (stream in best) {
    split(stream, part, " ")
    least[part[1]] += best[stream]
  }
  for (order in sum) {
    split(order, part, " ")
    list[part[1]] = list[part[1]] " " sum[order] / least[part[1]]
  }
  for (e in list) {
    n = split(list[e], v, " ")
    for (i = 2; i <= n; i++)
      for (k = i; k > 1 && v[k] + 0 < v[k - 1] + 0; k--) { t = v[k]; v[k] = v[k - 1]; v[k - 1] = t }
    printf "%s %.6f %.6f %.6f %.6f %.6f\n", e, v[1], quantile(v, n, 0.25), quantile(v, n, 0.5), quantile(v, n, 0.75), v[n] | "sort -k4,4g -k1,1"
  }
}
