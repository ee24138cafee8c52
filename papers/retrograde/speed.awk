# awk -f ../columns.awk -f speed.awk speed.csv: the table of speeds of README.md from the lines of run.sh -l parallel.
{
  if (!rows++) {
    print "| ending | slots | start, s | iterations, s | CPU s | million slots / CPU s | marks | million marks / s of iterations | goal 6.2 |"
    print "|---|---:|---:|---:|---:|---:|---:|---:|---|"
  }
  cpu = col("cpu_seconds")
  speed = col("states") / cpu / 1e6
  printf "| %s | %s | %.1f | %.1f | %.1f | **%.1f** | %s | %.0f | %s |\n", col("ending"), grouped(col("states")), col("init_seconds"),
    col("iterate_seconds"), cpu, speed, grouped(col("marks")), col("marks") / col("iterate_seconds") / 1e6,
    (speed >= 6.2 ? "reached" : "missed")
  if (!((col("commit"), col("machine")) in told)) {
    told[col("commit"), col("machine")] = 1
    note = note "\nMeasured at commit " col("commit") ": " col("machine") "."
  }
}
END { print note }
