# The bytes of a sweep's cells with the settings that differ: awk -v keys=block,parse -f columns.awk -f rows.awk report/cells.csv. What
# pages of papers/ keep of a sweep whose groups ask different questions.
BEGIN {
  n = split(keys, key, ",")
  printf "group,table,metric,coding,side,freedom,order,numbering,codec"
  for (i = 1; i <= n; i++)
    printf ",%s", key[i]
  print ",bytes,model_bytes"
}
{
  line = col("group") "," col("table") "," col("metric") "," col("coding") "," col("side") "," col("freedom") "," col("order") "," col("numbering") "," col("codec")
  for (i = 1; i <= n; i++)
    line = line "," setting(key[i])
  print line "," col("bytes") "," col("model_bytes") | "LC_ALL=C sort"
}
