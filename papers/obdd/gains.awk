# The rows of gains.conf as the table of README.md: awk -f gains.awk report/cells.csv. Bytes of the streams of all sides to move, and
# behind them how many times as many they are as with the default, which is the first row.
NR > 1 {
  split($0, part, "\"")                     # settings stand in quotes: key=value,key=value
  split(part[1], before, ",")
  split(part[3], after, ",")
  table = before[4]
  if (standard == "")
    standard = "," part[2] ","
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
    order[++tables] = table
  }
  if (!(what in known)) {
    known[what]
    list[++lines] = what
  }
}

# The settings that are not the default's.
function changed(text,   n, i, pair, out) {
  n = split(text, pair, ",")
  out = ""
  for (i = 1; i <= n; i++)
    if (!index(standard, "," pair[i] ","))
      out = out (out == "" ? "" : ",") pair[i]
  return out == "" ? "" : "`" out "`"
}

# A dot where not all sides were measured.
function cell(what, table) {
  if (sides[what, table] != sides["default", table])
    return " . | |"
  return " " sum[what, table] " | " sprintf("%.2f", sum[what, table] / sum["default", table]) " |"
}

END {
  line = "| |"
  rule = "|---|"
  for (t = 1; t <= tables; t++) {
    line = line " " order[t] " | |"
    rule = rule "---:|---:|"
  }
  print line
  print rule
  for (i = 1; i <= lines; i++) {
    line = "| " list[i] " |"
    for (t = 1; t <= tables; t++)
      line = line cell(list[i], order[t])
    print line
  }
}
