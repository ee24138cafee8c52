# The table of recompressed files, the endings that change most bytes first: awk -f ../columns.awk -f recompressed.awk recompressed.csv
BEGIN {
  print "| ending | public | recompressed | ratio |"
  print "|---|---:|---:|---:|"
}
{
  sum += col("bytes"); public += col("public"); n++
  printf "| %s | %d | %d | %.3f |\n", col("ending"), col("public"), col("bytes"), col("bytes") / col("public") | "sort -t'|' -k3nr"
}
END { close("sort -t'|' -k3nr"); printf "| all %d | %d | %d | %.3f |\n", n, public, sum, sum / public }
