# Ratios of our figures to the published ones: awk -f ../columns.awk -f figure.awk ours.csv published.csv. Those that are plain numbers in
# one unit; a line each: the group (of the dots in the middle of its row), the ratio, how far from the middle of its row it is drawn, the number of the row.
BEGIN { groups = split("Kristensen, WDL;Kristensen, DTM;EgmProbe, WDL;Nalimov, DTM;Kristensen, time;Kristensen, other;Makhnychev;Nemec;Syzygy;Zakharov", NAME, ";") }
FILENAME ~ /ours[.]csv$/ {
  value[col("key")] = col("value")
  unit[col("key")] = col("unit")
  next
}
function seconds(text,   part) { # 1h, 10m30.698s
  split(text, part, "m")
  return 60 * part[1] + part[2]
}
function group(source, column, what) {
  if (source !~ /^kristensen/)
    return toupper(substr(source, 1, 1)) substr(source, 2, match(source, /[0-9]|$/) - 2)
  if (what == "us" || what == "min:s")
    return "Kristensen, time"
  return what != "bytes" || column !~ /^(WDL|DTM), / ? "Kristensen, other" : (column ~ /EgmProbe/ ? "EgmProbe" : column ~ /Nalimov/ ? "Nalimov" : "Kristensen") ", " substr(column, 1, 3)
}
{
  key = col("ours")
  theirs = col("value")
  what = col("unit")
  if (what == "min:s" && unit[key] == "s")
    theirs = seconds(theirs)
  else if (what != unit[key])
    next
  if (!(key in value) || theirs !~ /^[0-9.]+(e[0-9]+)?$/ || value[key] !~ /^[0-9.]+(e[0-9]+)?$/ || theirs <= 0 || value[key] <= 0)
    next
  g = group(col("source"), col("column"), what)
  ratio[g, ++n[g]] = value[key] / theirs
}
# Dots that would cover each other stand side by side, so that all can be counted: each on the nearest level that is free there.
function level(g, i,   k, l, free) {
  for (l = 0; l < 9; l++) {
    free = 1
    for (k = 1; k < i && free; k++)
      free = at[g, k] != l || (log(ratio[g, i] / ratio[g, k])) ^ 2 > 0.02
    if (free)
      break
  }
  return at[g, i] = l
}
END {
  for (i = 1; i <= groups; i++)
    for (k = 1; k <= n[NAME[i]]; k++) {
      l = level(NAME[i], k)
      printf "\"%s\" %.6f %.3f %d\n", l ? "" : NAME[i], ratio[NAME[i], k], (l % 2 ? 1 : -1) * int((l + 1) / 2) * 0.1, row
      if (k == n[NAME[i]])
        row++
    }
}
