# When balancing pays: awk -f ../columns.awk -f imbalance.awk imbalance.csv prints the table of README.md. Iterations by d / (B/t + D_H); behind
# it the time balanced by the time without: the least, the geometric mean, the largest. It counts as sooner or later from a thousandth on.
BEGIN { bins = split("0 0.01 0.1 0.5 1 2 10 100", least, " ") }
{
  d = col("imbalance_states") / col("least_imbalance_states")
  ratio = col("balanced_s") / col("plain_s")
  for (b = bins; d < least[b]; b--)
    ;
  n[b]++
  sooner[b] += ratio < 0.999
  later[b] += ratio > 1.001
  logs[b] += log(ratio)
  low[b] = n[b] == 1 || ratio < low[b] ? ratio : low[b]
  high[b] = ratio > high[b] ? ratio : high[b]
}
END {
  print "| d / (B/t + D_H) | iterations | sooner | later | least | mean | most |"
  print "|---|---:|---:|---:|---:|---:|---:|"
  for (b = 1; b <= bins; b++)
    printf "| %s | %d | %d | %d | %.3f | %.3f | %.3f |\n", b == 1 ? "below " least[2] : b == bins ? least[b] " and more" : least[b] " to " least[b + 1],
      n[b], sooner[b], later[b], low[b], exp(logs[b] / n[b]), high[b]
}
