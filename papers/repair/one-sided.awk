# What one side to move takes off: awk -f ../columns.awk -f one-sided.awk wdl-3-4.csv wdl-one-sided-3-4.csv. Endings that are the same for both sides
# have one side anyway, and count on the first line only.
file == 1 {
  both["bytes", col("material")] = col("bytes")
  both["optimal_bytes", col("material")] = col("optimal_bytes")
  alike[col("material")] = col("order_b") == ""
  next
}
{
  for (i = split("bytes optimal_bytes", what, " "); i > 0; i--)
    for (all = 0; all < 2; all++)
      if (all || !alike[col("material")]) {
        n[what[i], all]++
        sum[what[i], all] += both[what[i], col("material")]
        one[what[i], all] += col(what[i])
        log_sum[what[i], all] += log(both[what[i], col("material")] / col(what[i]))
      }
}
function line (text, what, all) {
  printf "| %s | %d | %s | %s | %.2f | %.1f |\n", text, n[what, all], grouped(sum[what, all]), grouped(one[what, all]),
    sum[what, all] / one[what, all], exp(log_sum[what, all] / n[what, all])
}
END {
  print "| WDL, whole files | endings | both sides | one side | times smaller | geometric mean |\n|---|---:|---:|---:|---:|---:|"
  line("all, greedy parse", "bytes", 1)
  line("all, `parse=optimal`", "optimal_bytes", 1)
  line("two different sides, greedy parse", "bytes", 0)
  line("two different sides, `parse=optimal`", "optimal_bytes", 0)
}
