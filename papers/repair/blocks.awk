# Bytes against the size of a block, as Markdown: awk -f ../columns.awk -f blocks.awk ../published/published.csv history.csv. All endings with
# 4 men of history.csv, KRvKP alone, and what Kristensen 2005, 2.9 prints of KRvKP.
file == 1 {
  if (col("source") == "kristensen2005" && col("table") == "block size") {
    theirs[col("row")] = col("value")
    note(col("row"))
  }
  next
}
{
  note(col("block"))
  if (col("table") == "KRvKP")
    krvkp[col("block")] = col("bytes")
  endings[col("block")]++
  all[col("block")] += col("bytes")
}
function note (block) {
  if (!(block in known))
    list[++n] = block
  known[block]
}
function size (block) { return block >= 1048576 ? block / 1048576 " MB" : block >= 1024 ? block / 1024 " kB" : block " bytes" }
function growth (now, before) { return now && before ? sprintf ("%+.1f %%", 100 * (now / before - 1)) : "" }
function say (block) {
  if (block == 1048576) return "2 MB to 1 MB: a few per cent"
  if (block == 16384) return "2 MB to 16 kB: 45 %"
  if (block == 32768 || block == 8192 || block == 4096) return "each halving up to 10 %"
  if (block < 4096) return "compression collapses"
  return ""
}
function printed (bytes) { return bytes ? grouped(bytes) : "" }
END {
  for (i = 1; i <= n; i++)
    for (j = i + 1; j <= n; j++)
      if (list[j] + 0 > list[i] + 0) {
        t = list[i]
        list[i] = list[j]
        list[j] = t
      }
  print "| block | 30 endings, bytes | the block before | 2 MB | KRvKP, bytes | the block before | Kristensen's KRKP | the block before | Zakharov et al. |"
  print "|---:|---:|---:|---:|---:|---:|---:|---:|---|"
  for (i = 1; i <= n; i++) {
    b = list[i]
    whole = endings[b] == 30 ? all[b] : ""
    printf "| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", size(b), printed(whole), growth(whole, last), b + 0 < 2097152 ? growth(whole, all[2097152]) : "",
      printed(krvkp[b]), growth(krvkp[b], krvkp_last), printed(theirs[b]), growth(theirs[b], theirs_last), say(b + 0)
    if (whole) last = whole
    if (krvkp[b]) krvkp_last = krvkp[b]
    if (theirs[b]) theirs_last = theirs[b]
  }
}
