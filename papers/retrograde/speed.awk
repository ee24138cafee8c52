# awk -f speed.awk speed.csv: the table of speeds of README.md from the lines of run.sh -l parallel.
BEGIN { FS = "," }
FNR == 1 { next }
function grouped (n,   s) {
  for (s = ""; n >= 1000; n = int (n / 1000))
    s = sprintf (",%03d", n % 1000) s
  return n s
}
{
  if (!rows++) {
    print "| ending | slots | start, s | iterations, s | CPU s | million slots / CPU s | marks | million marks / s of iterations | goal 6.2 |"
    print "|---|---:|---:|---:|---:|---:|---:|---:|---|"
  }
  speed = $5 / $12 / 1e6
  printf "| %s | %s | %.1f | %.1f | %.1f | **%.1f** | %s | %.0f | %s |\n", $3, grouped($5), $10, $11, $12, speed, grouped($8),
    $8 / $11 / 1e6, (speed >= 6.2 ? "reached" : "missed")
  if (!(($1, $2) in told)) {
    told[$1, $2] = 1
    note = note "\nMeasured at commit " $1 ": " $2 "."
  }
}
END { print note }
