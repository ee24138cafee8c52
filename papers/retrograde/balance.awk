# The tables of README.md from the lines of balance.sh: awk -f balance.awk balance.csv
BEGIN { FS = "," }
NR > 1 {
  if (!(($4, $5) in seen)) {
    seen[$4, $5] = 1
    interval[++n] = $4
    ranks[n] = $5
  }
  efficiency[$4, $5, $6] = $11
  predicted[$4, $5, $6] = $13 / $5
}
END {
  for (i = 1; i <= n; i++) {
    k = interval[i] SUBSEP ranks[i] SUBSEP
    if (interval[i] != last)
      printf "| q = %s s, ranks | plain | mixed | balanced | by the model | both | by the model |\n|---:|---:|---:|---:|---:|---:|---:|\n", interval[i]
    last = interval[i]
    printf "| %d | %.3f | %.3f | %.3f | %.3f | %.3f | %.3f |\n", ranks[i], efficiency[k "plain"], efficiency[k "mixed"], efficiency[k "balanced"], predicted[k "balanced"], efficiency[k "mixed+balanced"], predicted[k "mixed+balanced"]
  }
}
