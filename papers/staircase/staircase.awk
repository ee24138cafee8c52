# The steps of staircase.conf, from report/cells.csv: awk -f ../columns.awk -f staircase.awk report/cells.csv. Bytes of all sides of all endings;
# then what the step before has in units of this one, as geometric mean over the endings, and the least and the greatest.
{
  group = col("group")
  if (group == "orders") next
  pair[group, col("metric"), col("table")] += col("bytes")
  if (group !~ /^[0-9]/) next
  step = group; sub (/-.*/, "", step); what = group; sub (/^[0-9]*-/, "", what); sub (/-(wdl|dtm)$/, "", what)
  metric = col("metric"); ending = col("table"); step += 0
  name[metric, step] = what
  sum[metric, step, ending] += col("bytes"); sides[metric, step, ending]++
  seen[metric, ending] = 1; last = step > last ? step : last
  # the smaller side alone, of diagrams: what is stored of one side
  if (what == "diagram" && (!((metric, ending) in least) || col("bytes") < least[metric, ending])) least[metric, ending] = col("bytes")
}

function line(metric, title, before, now,   key, part, e, n, total, ratio, logs, low, high, where_low, where_high) {
  low = 1e9
  for (key in seen) {
    split(key, part, SUBSEP)
    e = part[2]
    if (part[1] != metric || !(e in now) || !(e in before)) continue
    total += now[e]
    n++
    ratio = before[e] / now[e]
    logs += log(ratio)
    if (ratio < low || (ratio == low && e < where_low)) { low = ratio; where_low = e }
    if (ratio > high || (ratio == high && e < where_high)) { high = ratio; where_high = e }
  }
  if (n) printf "| %s | %d | %d | %.3f | %.3f %s | %.3f %s |\n", title, n, total, exp(logs / n), low, where_low, high, where_high
}

function print_steps(metric,   step, previous, key, part) {
  print "| " metric ", step | endings | bytes | gain | least | greatest |"
  print "|---|---:|---:|---:|---|---|"
  for (step = 1; step <= last; step++) {
    if (!((metric, step) in name)) continue
    delete now
    for (key in sum) { split(key, part, SUBSEP); if (part[1] == metric && part[2] == step) now[part[3]] = sum[key] }
    if (step == 1) for (key in now) before[key] = now[key]
    line(metric, step " " name[metric, step], before, now)
    delete before
    for (key in now) before[key] = now[key]
  }
  delete now
  for (key in least) { split(key, part, SUBSEP); if (part[1] == metric) { now[part[2]] = least[key]; before[part[2]] = sum[metric, 12, part[2]] } }
  line(metric, "diagram, one side", before, now)
  print ""
}
# Bytes of WDL with both, one or none of two ideas, of the endings that have all four
function two_ways(rows, columns, neither, column, row, both,   key, part, e, total, n, r, c) {
  for (key in pair) {
    split(key, part, SUBSEP); e = part[3]
    if (part[1] != neither || part[2] != "wdl" || !((column, "wdl", e) in pair) || !((row, "wdl", e) in pair) || !((both, "wdl", e) in pair)) continue
    n++
    total[1] += pair[neither, "wdl", e]; total[2] += pair[column, "wdl", e]; total[3] += pair[row, "wdl", e]; total[4] += pair[both, "wdl", e]
  }
  split(rows, r, "|"); split(columns, c, "|")
  printf "| wdl, %d endings | %s | %s | |\n|---|---:|---:|---:|\n", n, c[1], c[2]
  printf "| %s | %d | %d | %.2f |\n", r[1], total[1], total[2], total[1] / total[2]
  printf "| %s | %d | %d | %.2f |\n", r[2], total[3], total[4], total[3] / total[4]
  printf "| | %.2f | %.2f | %.2f |\n\n", total[1] / total[3], total[2] / total[4], total[1] / total[4]
}
END {
  print_steps("wdl"); print_steps("dtm")
  two_ways("order of the name|best order|", "nothing free|all free", "1-lzma", "free-alone", "2-order", "5-promotions")
  two_ways("no slot filled|`initial=ternary`", "exact pairs|subdefinite pairs", "8-final", "9-subdefinite", "filled-exact", "10-initial")
}
