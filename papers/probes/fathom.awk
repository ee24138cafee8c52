# The table of README.md from what run.sh measured: awk -f ../columns.awk -f fathom.awk fathom.csv. A line for each ending: the median and
# the time that 99 % of the probes take at most, Fathom's in nanoseconds, those of each list of tables as shares of it.
{
  e = col("ending")
  t = col("tables")
  if (!(e in known)) {
    known[e]
    ending[++n] = e
    fathom[e, 50] = col("fathom_median_ns")
    fathom[e, 99] = col("fathom_p99_ns")
  }
  if (!(t in lists)) {
    lists[t]
    list[++m] = t
  }
  share[e, t, 50] = sprintf ("%.2f", col("median_ns") / col("fathom_median_ns"))
  share[e, t, 99] = sprintf ("%.2f", col("p99_ns") / col("fathom_p99_ns"))
  sum[t] += log(col("median_ns") / col("fathom_median_ns"))
  positions += col("positions")
  en_passant += col("en_passant")
  differ += col("differ")
}
END {
  line = "| ending | Fathom: median |"
  rule = "|---|---:|"
  for (k = 1; k <= m; k++) {
    line = line " " list[k] " |"
    rule = rule "---:|"
  }
  line = line " Fathom: 99 % |"
  rule = rule "---:|"
  for (k = 1; k <= m; k++) {
    line = line " " list[k] " |"
    rule = rule "---:|"
  }
  print line "\n" rule
  for (i = 1; i <= n; i++) {
    e = ending[i]
    line = "| " e " | " fathom[e, 50] " |"
    for (k = 1; k <= m; k++)
      line = line " " share[e, list[k], 50] " |"
    line = line " " fathom[e, 99] " |"
    for (k = 1; k <= m; k++)
      line = line " " share[e, list[k], 99] " |"
    print line
  }
  printf "\nGeometric means of the medians' shares:"
  for (k = 1; k <= m; k++)
    printf "%s %s %.2f", (k > 1 ? "," : ""), list[k], exp(sum[list[k]] / n)
  printf ".\n%d probes, %d of them with an en-passant square; %d values differ from Fathom's.\n", positions, en_passant, differ
}
