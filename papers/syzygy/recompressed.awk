# The table of recompressed or exported files, the largest public files first:
#   awk -f ../columns.awk -f recompressed.awk recompressed.csv
#   awk -v what=exported -f ../columns.awk -f recompressed.awk exported.csv
BEGIN {
  printf "| ending | public | %s | ratio |\n", what ? what : "recompressed"
  print "|---|---:|---:|---:|"
}
{
  sum += col("bytes"); public += col("public"); n++
  printf "| %s | %d | %d | %.3f |\n", col("ending"), col("public"), col("bytes"), col("bytes") / col("public") | "sort -t'|' -k3nr"
}
END { close("sort -t'|' -k3nr"); printf "| all %d | %d | %d | %.3f |\n", n, public, sum, sum / public }
