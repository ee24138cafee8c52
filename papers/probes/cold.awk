# The table of README.md from what run.sh -c measured: awk -f ../columns.awk -f cold.awk cold.csv.
!rows++ {
  print "| ending | tables | opened | what | median, us | 90 % | major faults | pages | KiB read |"
  print "|---|---|---|---|---:|---:|---:|---:|---:|"
}
{
  printf "| %s | %s | %s | %s | %s | %s | %.1f | %.1f | %s |\n", col("ending"), col("tables"), col("opened"), col("what"),
    grouped(col("median_us")), grouped(col("p90_us")), col("major_faults"), col("pages"), grouped(col("kib_read"))
}
