# The rows of gains.conf as the tables of README.md, one for results and one for distances: awk -f gains.awk report/cells.csv. Bytes of the
# streams of all sides to move, and behind them how many times as many they are as with the default, which is the first row of a table.
NR > 1 {
  split($0, part, "\"")                     # settings stand in quotes: key=value,key=value
  split(part[1], before, ",")
  split(part[3], after, ",")
  metric = before[5]
  table = metric " " before[4]
  if (!(metric in standard)) {
    standard[metric] = "," part[2] ","
    metrics[++nmetrics] = metric
  }
  what = before[11] == "obdd" ? changed(part[2]) : "`rle`"
  if (before[8] != "all")
    what = what " free: " before[8]
  if (before[11] == "obdd" && before[10] != "folded")
    what = what " numbering " before[10]
  sub(/^ /, "", what)
  if (what == "")
    what = "default"
  sum[what, table] += after[8]
  sides[what, table]++
  if (!(table in seen)) {
    seen[table]
    order[metric, ++tables[metric]] = table
  }
  if (!((what, metric) in known)) {
    known[what, metric]
    list[metric, ++lines[metric]] = what
  }
}

# The settings that are not the default's.
function changed(text,   n, i, pair, out) {
  n = split(text, pair, ",")
  out = ""
  for (i = 1; i <= n; i++)
    if (!index(standard[metric], "," pair[i] ","))
      out = out (out == "" ? "" : ",") pair[i]
  return out == "" ? "" : "`" out "`"
}

# A dot where not all sides were measured.
function cell(what, table) {
  if (sides[what, table] != sides["default", table])
    return " . | |"
  return " " sum[what, table] " | " sprintf("%.2f", sum[what, table] / sum["default", table]) " |"
}

function print_table(metric,   line, rule, t, i) {
  line = "| " metric " |"
  rule = "|---|"
  for (t = 1; t <= tables[metric]; t++) {
    line = line " " substr(order[metric, t], length(metric) + 2) " | |"
    rule = rule "---:|---:|"
  }
  print line
  print rule
  for (i = 1; i <= lines[metric]; i++) {
    line = "| " list[metric, i] " |"
    for (t = 1; t <= tables[metric]; t++)
      line = line cell(list[metric, i], order[metric, t])
    print line
  }
  print ""
}

END {
  for (m = 1; m <= nmetrics; m++)
    print_table(metrics[m])
}
