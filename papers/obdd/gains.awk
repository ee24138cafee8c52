# The rows of gains.conf as the tables of README.md, one for WDL and one for DTM: awk -f ../columns.awk -f gains.awk report/cells.csv. Bytes of the
# streams of all sides to move, and behind them how many times as many they are as with the default, which is the first row of a table.
{
  metric = col("metric")
  table = metric " " col("table")
  if (!(metric in standard)) {
    standard[metric] = "," col("settings") ","
    metrics[++nmetrics] = metric
  }
  what = col("codec") == "obdd" ? changed(col("settings")) : "`rle`"
  if (col("freedom") != "all")
    what = what " free: " col("freedom")
  if (col("codec") == "obdd" && col("numbering") != "folded")
    what = what " numbering " col("numbering")
  sub(/^ /, "", what)
  if (what == "")
    what = "default"
  sum[what, table] += col("bytes")
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
