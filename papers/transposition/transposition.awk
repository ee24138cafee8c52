# awk -f ../columns.awk -f transposition.awk codes.csv policies.csv depth.csv: the tables of README.md, in Markdown.
FILENAME ~ /codes[.]csv$/ {
  b = col("code_bits") + 0
  if (!(b in others))
    bits[++nbits] = b
  others[b] += col("others")
  found[b] += col("false_matches")
  uses[b] += col("false_uses")
  wrong[b] += col("wrong")
  positions[b] += col("positions")
  next
}
FILENAME ~ /policies[.]csv$/ {
  e = col("ending")
  if (!(e in plain))
    endings[++nendings] = e
  if (col("policy") == "none")
    plain[e] = col("nodes")
  else {
    nodes[e, col("log2_slots"), col("policy")] = col("nodes")
    if (!(col("log2_slots") in seen))
      sizes[++nsizes] = col("log2_slots")
    seen[col("log2_slots")] = 1
  }
  next
}
{
  f = col("fen")
  if (!(f in men))
    fens[++nfens] = f
  men[f] = col("men")
  for (i = 1; i <= 3; i++)
    if (col("nodes") + 0 <= budget(i))
      depth[f, col("table"), i] = col("depth")
  if (col("table") == "yes")
    share[f] = col("stores") / col("nodes")
}
function budget (i) { return i == 1 ? 1e5 : i == 2 ? 1e6 : 5e6 }
function count (n) { return n > 0 ? grouped(n) : n < 0 ? "" : "0" }
END {
  print "| bits of code | probes that found another position | false matches | expected | ratio | used | wrong results | searched |"
  print "|---:|---:|---:|---:|---:|---:|---:|---:|"
  for (k = 1; k <= nbits; k++) {
    b = bits[k]
    expected = others[b] / 2 ^ b
    printf "| %d | %s | %s | %s | %s | %s | %s | %s |\n", b, count(others[b]), count(found[b]), \
      (expected >= 0.1 ? sprintf("%.1f", expected) : sprintf("%.1g", expected)), (expected >= 1 ? sprintf("%.2f", found[b] / expected) : ""), \
      count(uses[b]), count(wrong[b]), count(positions[b])
  }
  line = "| slots |"
  rule = "|---:|"
  for (k = 1; k <= nendings; k++) {
    line = line " " endings[k] ", always | deeper |"
    rule = rule "---:|---:|"
  }
  print "\n" line "\n" rule
  line = "| no table |"
  for (k = 1; k <= nendings; k++)
    line = line " " count(plain[endings[k]]) " | |"
  print line
  for (j = 1; j <= nsizes; j++) {
    line = "| 2^" sizes[j] " |"
    for (k = 1; k <= nendings; k++)
      line = line " " count(nodes[endings[k], sizes[j], "always"]) " | " count(nodes[endings[k], sizes[j], "deeper"]) " |"
    print line
  }
  print "\n| position | men | 10^5 nodes | with table | 10^6 nodes | with table | 5x10^6 nodes | with table | entries a node |"
  print "|---|---:|---:|---:|---:|---:|---:|---:|---:|"
  for (k = 1; k <= nfens; k++) {
    f = fens[k]
    line = "| `" f "` | " men[f] " |"
    for (i = 1; i <= 3; i++)
      line = line " " depth[f, "no", i] " | " depth[f, "yes", i] " |"
    print line " " sprintf("%.2f", share[f]) " |"
  }
}
