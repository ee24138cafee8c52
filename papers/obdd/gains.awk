# The rows of gains.conf: awk -f ../columns.awk -f gains.awk report/cells.csv prints gains.csv, bytes of the streams of all sides to move and what
# is changed against the default, which is the first row of this codec in a metric; awk -v table=1 ... gains.csv prints the tables of
# README.md, one for WDL and one for DTM: behind the bytes how many times as many they are as with the default.
BEGIN { if (!table) print "metric,changed,ending,bytes" }

# The settings that are not the default's.
function changed(text,   n, i, pair, out) {
  n = split(text, pair, ",")
  out = ""
  for (i = 1; i <= n; i++)
    if (!index(standard[metric], "," pair[i] ","))
      out = out (out == "" ? "" : ",") pair[i]
  return out
}

{ metric = col("metric") }
!table && col("codec") == "obdd" && !(metric in standard) {
  standard[metric] = "," col("settings") ","
  usual[metric] = col("numbering")
}
!table {
  what = col("codec") == "obdd" ? changed(col("settings")) : "rle"
  if (col("freedom") != "all")
    what = what " free: " col("freedom")
  if (col("codec") == "obdd" && col("numbering") != usual[metric])
    what = what " numbering " col("numbering")
  sub(/^ /, "", what)
}
table { what = col("changed") }
{
  if (what == "")
    what = "default"
  ending = metric == "" ? "" : col(table ? "ending" : "table")
  sum[metric, what, ending] += col("bytes")
  if (!((metric, ending) in seen)) {
    seen[metric, ending]
    endings[metric, ++nendings[metric]] = ending
  }
  if (!((metric, what) in known)) {
    known[metric, what]
    list[metric, ++lines[metric]] = what
  }
  if (!(metric in kinds)) {
    kinds[metric]
    metrics[++nmetrics] = metric
  }
}

function print_rows(metric,   i, t, what, ending) {
  for (i = 1; i <= lines[metric]; i++)
    for (t = 1; t <= nendings[metric]; t++) {
      what = list[metric, i]
      ending = endings[metric, t]
      if ((metric, what, ending) in sum)
        print metric ",\"" what "\"," ending "," sum[metric, what, ending]
    }
}

function print_table(metric,   line, rule, i, t, what, ending) {
  line = "| " toupper(metric) " |"
  rule = "|---|"
  for (t = 1; t <= nendings[metric]; t++) {
    line = line " " endings[metric, t] " | |"
    rule = rule "---:|---:|"
  }
  print line
  print rule
  for (i = 1; i <= lines[metric]; i++) {
    what = list[metric, i]
    line = "| " (what == "default" ? what : "`" what "`") " |"
    for (t = 1; t <= nendings[metric]; t++) {
      ending = endings[metric, t]
      line = line ((metric, what, ending) in sum ? " " grouped(sum[metric, what, ending]) " | " sprintf("%.2f", sum[metric, what, ending] / sum[metric, "default", ending]) " |" : " | |")
    }
    print line
  }
  print ""
}

END {
  for (m = 1; m <= nmetrics; m++)
    if (table)
      print_table(metrics[m])
    else
      print_rows(metrics[m])
}
