# The staircase as it is drawn: awk -v metric=wdl -f ../columns.awk -f figure.awk staircase.csv. A line each step: its name (-v nameless=1: none), then bytes in
# per cent of the first step over the endings: geometric mean; tenth, quarter, three quarters, nine tenths. "?": the metric has no such step.
col("group") ~ /^[0-9]+-/ {
  step = col("group") + 0
  what = col("group")
  sub(/^[0-9]+-/, "", what)
  sub("-" col("metric") "$", "", what)
  name[step] = what # of both metrics, so that both panels have the same rows
  if (!first || step < first)
    first = step
  if (col("metric") == metric)
    bytes[step, col("table")] += col("bytes")
}
function quantile(v, n, q,   at, low) { # of v[1..n], which rise
  at = 1 + q * (n - 1)
  low = int(at)
  return low == n ? v[n] : v[low] + (at - low) * (v[low + 1] - v[low])
}
END {
  for (key in bytes) {
    split(key, part, SUBSEP)
    if (!((first, part[2]) in bytes) || bytes[first, part[2]] <= 0)
      continue
    share = 100 * bytes[key] / bytes[first, part[2]]
    list[part[1]] = list[part[1]] " " share
    logs[part[1]] += log(share)
  }
  for (step = first; step < first + 100; step++)
    if (step in name) {
      text = nameless ? "" : step " " name[step]
      n = split(list[step], v, " ")
      if (!n) {
        printf "\"%s\" ? ? ? ? ?\n", text
        continue
      }
      for (i = 2; i <= n; i++)
        for (k = i; k > 1 && v[k] + 0 < v[k - 1] + 0; k--) { t = v[k]; v[k] = v[k - 1]; v[k - 1] = t }
      printf "\"%s\" %.6f %.6f %.6f %.6f %.6f\n", text, exp(logs[step] / n), quantile(v, n, 0.1), quantile(v, n, 0.25), quantile(v, n, 0.75), quantile(v, n, 0.9)
    }
}
