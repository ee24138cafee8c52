# The rows of huffman.conf: awk -f ../columns.awk -f huffman.awk report/cells.csv prints huffman.csv, bytes of both sides to move; awk -v table=1 ...
# huffman.csv prints the table of README.md.
BEGIN { if (!table) print "table,metric,slots,symbols_bytes,words_bytes,repair_bytes" }

!table {
  key = col("table") "," col("metric")
  slots[key] += col("codec") == "repair" ? col("slots") : 0
  bytes[key, col("codec") == "repair" ? "repair" : setting("word")] += col("bytes")
  keys[key]
}
table {
  what = col("metric") "|" (length(col("table")) - 1)
  if (!(what in n))
    list[++kinds] = what
  n[what]++
  s[what] += col("slots")
  symbols[what] += col("symbols_bytes")
  words[what] += col("words_bytes")
  repair[what] += col("repair_bytes")
}
END {
  if (!table) {
    for (key in keys)
      print key "," slots[key] "," bytes[key, 1] "," bytes[key, 0] "," bytes[key, "repair"] | "LC_ALL=C sort -t, -k2,2r -k1,1"
    exit
  }
  print "| | endings | Huffman, symbols | bits a slot | Huffman, words | bits a slot | RE-PAIR and Huffman | bits a slot | pairs take off |"
  print "|---|---:|---:|---:|---:|---:|---:|---:|---:|"
  for (k = 1; k <= kinds; k++) {
    w = list[k]
    split(w, part, "|")
    printf "| %s, %d men | %d | %s | %.3f | %s | %.3f | %s | %.3f | %.1f %% |\n", toupper(part[1]), part[2], n[w], grouped(symbols[w]),
      8 * symbols[w] / s[w], grouped(words[w]), 8 * words[w] / s[w], grouped(repair[w]), 8 * repair[w] / s[w],
      100 * (1 - repair[w] / symbols[w])
  }
}
