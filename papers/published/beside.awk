# awk -f ../columns.awk -f beside.awk ours.csv published.csv: each published figure beside ours, or the reason why there is none, as
# Markdown; at the end how many there are of each kind. With -v count=1 only that line.
FILENAME ~ /ours[.]csv$/ {
  value[col("key")] = col("value")
  unit[col("key")] = col("unit")
  from[col("key")] = col("from")
  next
}
{
  key = col("ours")
  if (col("source") != last && !count)
    print (last ? "\n" : "") "## " col("source") "\n\n| table | row | figure | published | ours | from |\n|---|---|---|---:|---:|---|"
  last = col("source")
  ours = where = ""
  if (key ~ /^test:/) {
    beside++
    ours = "the same"
    where = key
  } else if (key in value) {
    beside++
    ours = value[key] " " unit[key]
    where = from[key]
    used[key] = 1
  } else if (key != "") {
    missing++
    where = "not measured yet: " key
    if (count)
      print "not measured: " key >"/dev/stderr"
  } else if (col("why") != "") {
    reasons++
    where = col("why")
  } else {
    print FILENAME ": " col("source") ", " col("row") ", " col("column") ": neither ours nor a reason" >"/dev/stderr"
    bad = 1
  }
  all++
  if (!count)
    printf "| %s | %s | %s | %s %s | %s | %s |\n", col("table"), col("row"), col("column"), escaped(col("value")), col("unit"), ours, where
}
function escaped(text) { # a bar would end the cell
  gsub(/[|]/, "\\\\|", text)
  return text
}
END {
  printf "%s%d published figures: %d beside ours, %d with a reason why not, %d not measured\n", count ? "" : "\n", all, beside, reasons, missing
  exit bad
}
