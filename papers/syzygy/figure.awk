# Shares of the public files: awk -f ../columns.awk -f figure.awk recompressed.csv recompressed_high.csv exported.csv. A line each ending,
# the largest public WDL file last: ending, .rtbw, .rtbw by --high, .rtbz in per cent of the public file.
{ share[file, col("ending")] = 100 * col("bytes") / col("public") }
file == 1 { public[col("ending")] = col("public") }
END {
  for (e in public)
    printf "%s %.4f %.4f %.4f %d\n", e, share[1, e], share[2, e], share[3, e], public[e] | "sort -k5,5n -k1,1"
}
