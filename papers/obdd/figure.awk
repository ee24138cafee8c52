# Bytes of each ending's WDL files, the smallest diagrams last: awk -f ../columns.awk -f figure.awk kristensen.csv wdl-3-4.csv ../repair/wdl-3-4.csv
# A line each: ending, diagram, RE-PAIR, Syzygy, Kristensen's diagram, EgmProbe; "?": not published.
FILENAME ~ /kristensen/ {
  kristensen[col("ending")] = col("wdl")
  egmprobe[col("ending")] = col("egmprobe_wdl")
  next
}
FILENAME ~ /repair/ {
  repair[col("material")] = col("optimal_bytes")
  syzygy[col("material")] = col("syzygy_bytes")
  next
}
{ diagram[col("material")] = col("bytes") }
function known(v) { return v == "" ? "?" : v }
END {
  for (e in diagram)
    print e, diagram[e], repair[e], syzygy[e], known(kristensen[e]), known(egmprobe[e]) | "sort -k2,2n -k1,1"
}
