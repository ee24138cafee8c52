# The table of README.md: awk -f ../columns.awk -f width.awk width.csv
BEGIN {
  print "| ending | values | blocks of | 1 byte | 12 bits | | 2 bytes | | 12 bits / 2 bytes |"
  print "|---|---:|---|---:|---:|---:|---:|---:|---:|"
}
{
  kind = col("block")
  sub(/^16384/, "16,384", kind)
  n[kind]++
  a[kind] += log(col("bits12") / col("bits8"))
  b[kind] += log(col("bits16") / col("bits8"))
  if (!(kind in list))
    list[kind] = ++kinds
  name[list[kind]] = kind
  printf "| %s | %s | %s | %s | %s | %.3f | %s | %.3f | %.3f |\n", col("ending"), grouped(col("positions")), kind, grouped(col("bits8")),
    grouped(col("bits12")), col("bits12") / col("bits8"), grouped(col("bits16")), col("bits16") / col("bits8"), col("bits12") / col("bits16")
}
END {
  for (i = 1; i <= kinds; i++) {
    k = name[i]
    printf "| **geometric mean** | | %s | 1 | | %.3f | | %.3f | %.3f |\n", k, exp(a[k] / n[k]), exp(b[k] / n[k]), exp((a[k] - b[k]) / n[k])
  }
}
