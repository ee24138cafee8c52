# Medians of probes: awk -f ../columns.awk -f figure.awk fathom.csv. A line each ending, the slowest of Fathom's last: ending, Fathom,
# RE-PAIR, diagrams, in nanoseconds.
{
  ours[col("ending"), col("tables")] = col("median_ns")
  fathom[col("ending")] = col("fathom_median_ns") # the same run, in turns; of both lines the last
}
END {
  for (e in fathom)
    print e, fathom[e], ours[e, "repair"], ours[e, "obdd"] | "sort -k2,2n -k1,1"
}
