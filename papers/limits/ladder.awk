# Sums over all endings by metric, a row each figure; counts endings that have it: awk -F, -f ladder.awk limits.csv
NR == 1 { for (i = 1; i <= NF; i++) col[$i] = i; next }
{
  of = $col["of"]; gsub (/"/, "", of)
  if ($col["bytes"] == "") { missing[$col["metric"], of]++; next }
  if (!((of) in seen)) { seen[of] = 1; name[++n] = of }
  bytes[$col["metric"], of] += $col["bytes"]; least[$col["metric"], of] += $col["at_least"]
  if ($col["at_least"] != "") bound[of] = 1
  model[$col["metric"], of] += $col["model"]; cpu += $col["cpu_seconds"]
}
END {
  print "| | WDL, bytes | at least | model | DTM, bytes | at least | model |"
  print "|---|---:|---:|---:|---:|---:|---:|"
  for (i = 1; i <= n; i++) {
    printf "| %s ", name[i]
    for (k = 1; k <= 2; k++) {
      m = k == 1 ? "wdl" : "dtm"
      if (missing[m, name[i]]) printf "| - | - | - "
      else printf "| %d | %s | %d ", bytes[m, name[i]], name[i] in bound ? least[m, name[i]] : "", model[m, name[i]]
    }
    print "|"
  }
  printf "\n%.1f CPU-minutes\n", cpu / 60
}
