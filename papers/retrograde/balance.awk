# The tables of README.md from the lines of balance.sh: awk -f ../columns.awk -f balance.awk balance.csv
{
  k = col("interval") SUBSEP col("ranks")
  if (!(k in seen)) {
    seen[k] = 1
    interval[++n] = col("interval")
    ranks[n] = col("ranks")
  }
  efficiency[k, col("variant")] = col("efficiency")
  predicted[k, col("variant")] = col("predicted_speedup") / col("ranks")
}
END {
  for (i = 1; i <= n; i++) {
    k = interval[i] SUBSEP ranks[i] SUBSEP
    if (interval[i] != last)
      printf (i > 1 ? "\n" : "") "| q = %s s, ranks | plain | mixed | balanced | by the model | both | by the model |\n|---:|---:|---:|---:|---:|---:|---:|\n", interval[i]
    last = interval[i]
    printf "| %d | %.3f | %.3f | %.3f | %.3f | %.3f | %.3f |\n", ranks[i], efficiency[k "plain"], efficiency[k "mixed"], efficiency[k "balanced"], predicted[k "balanced"], efficiency[k "mixed+balanced"], predicted[k "mixed+balanced"]
  }
}
