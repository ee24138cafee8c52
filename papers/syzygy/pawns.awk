# The table of README.md from pawns.csv: awk -f ../columns.awk -f pawns.awk pawns.csv. Bytes of one stream in its best order; of four
# streams in that order; of four streams, each in its own best order.
{
  key = col("ending") " | " (col("side") == "w" ? "White" : "Black")
  if (!(key in one))
    row[++rows] = key
  four = col("a") + col("b") + col("c") + col("d")
  if (!(key in one) || col("one") + 0 < one[key]) {
    one[key] = col("one") + 0
    same[key] = four
    order[key] = col("order")
  }
  for (i = 1; i <= 4; i++) {
    part = col(substr("abcd", i, 1)) + 0
    if (!((key, i) in own) || part < own[key, i])
      own[key, i] = part
  }
}
function share (n, of) { return sprintf ("%+.1f %%", 100 * (n / of - 1)) }
END {
  print "| ending | to move | best order | one stream | four, that order | | four, each its best order | |"
  print "|---|---|---|---:|---:|---:|---:|---:|"
  for (i = 1; i <= rows; i++) {
    key = row[i]
    best = own[key, 1] + own[key, 2] + own[key, 3] + own[key, 4]
    printf "| %s | `%s` | %s | %s | %s | %s | %s |\n", key, order[key], grouped(one[key]), grouped(same[key]), share(same[key], one[key]), grouped(best), share(best, one[key])
    a += one[key]
    b += same[key]
    c += best
  }
  printf "| all | | | %s | %s | %s | %s | %s |\n", grouped(a), grouped(b), share(b, a), grouped(c), share(c, a)
}
