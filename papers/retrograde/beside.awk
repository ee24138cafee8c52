# awk -f ../columns.awk -f beside.awk beside.csv: the table of README.md from the lines of beside.sh: the least of all turns.
{
  e = col("ending"); p = col("program"); s = col("cpu_seconds")
  if (!((e, p) in least) || s < least[e, p])
    least[e, p] = s
  if (!seen_e[e]++) ending[++endings] = e
  if (!seen_p[p]++) program[++programs] = p
}
END {
  line = "| ending |"; rule = "|---|"
  for (i = 1; i <= programs; i++) {
    line = line " " (program[i] == "syzygy" ? "Syzygy's" : program[i]) ", CPU s |"
    rule = rule "---:|"
  }
  print line " share |"
  print rule "---:|"
  for (k = 1; k <= endings; k++) {
    line = "| " ending[k] " |"
    for (i = 1; i <= programs; i++)
      line = line sprintf(" %.2f |", least[ending[k], program[i]])
    printf "%s **%.2f** |\n", line, least[ending[k], program[programs]] / least[ending[k], "syzygy"]
  }
}
