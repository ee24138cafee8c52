# The rows of codecs.conf: awk -f ../columns.awk -f codecs.awk report/cells.csv prints codecs.csv, bytes of the streams of both sides to move.
BEGIN { print "table,metric,codec,dict,block,initial,bytes" }
{
  dict = setting("dict")
  initial = setting("initial")
  key = col("table") "," col("metric") "," col("codec") "," (dict == "" ? 0 : dict) "," setting("block") "," (initial == "" ? "frequent" : initial)
  bytes[key] += col("bytes")
}
END {
  for (key in bytes)
    print key "," bytes[key] | "LC_ALL=C sort"
}
