# awk -f ../columns.awk -f report.awk kristensen.csv FILE...: the tables of README.md from the lines of run.sh; a row without all of its endings is
# told as "not measured".
FILENAME ~ /kristensen[.]csv$/ {
  row[++rows] = col("row")
  ending_list[rows] = col("endings")
  printed[rows] = col("positions")
  kristensen_forward[rows] = col("forward_s")
  kristensen_backward[rows] = col("backward_s")
  kristensen_forward_us[rows] = col("forward_us")
  kristensen_backward_us[rows] = col("backward_us")
  next
}

{
  states[col("ending")] = col("states")
  cpu[col("ending"), col("solver")] = col("cpu_seconds")
  seen[col("ending"), col("solver")] = 1
}

function choose (n, k,   c, i) {
  c = 1
  for (i = 1; i <= k; i++)
    c = c * (n - k + i) / i
  return c
}

# Kristensen's index: 462 placements of the kings, 1806 with pawns; 64 squares a piece, 48 a pawn; equal pieces once; two sides to move
# unless both have the same.
function positions (ending,   side, s, i, n, p) {
  split (ending, side, "v")
  n = ending ~ /P/ ? 1806 : 462
  for (s = 1; s <= 2; s++)
    for (i = 1; i <= 5; i++) {
      p = substr ("QRBNP", i, 1)
      n *= choose (p == "P" ? 48 : 64, gsub (p, p, side[s]))
    }
  return side[1] == side[2] ? n : 2 * n
}

function sum (i, solver,   n, e, k, t) {
  n = split (ending_list[i], e, " ")
  for (k = 1; k <= n; k++) {
    if (!((e[k], solver) in seen))
      return -1
    t += cpu[e[k], solver]
  }
  return t
}

function count (i, what,   n, e, k, t) {
  n = split (ending_list[i], e, " ")
  for (k = 1; k <= n; k++)
    t += what == "formula" ? positions (e[k]) : states[e[k]]
  return t
}

function seconds (t) { return t < 0 ? "not measured" : sprintf (t < 10 ? "%.3f" : t < 100 ? "%.2f" : "%.0f", t) }
function each (t, n) { return t < 0 || !n ? "" : sprintf ("%.3g", t / n * 1e6) }
function ratio (a, b) { return a < 0 || b <= 0 ? "" : sprintf (a < b ? "%.2f" : "%.1f", a / b) }
function strong (s) { return s == "" ? "" : "**" s "**" }

END {
  print "| endings built | Kristensen prints | by its formula | our states |"
  print "|---|---:|---:|---:|"
  for (i = 1; i <= rows; i++) {
    n = count (i, "formula") + (i == 1 ? 462 : 0) # two kings
    printf "| %s | %s | %s | %s |\n", row[i], grouped (printed[i]), grouped (n), grouped (count (i, "states"))
  }
  print "\n| endings built | forward, s | us a position | backward, s | us a position | ratio | Kristensen: forward | backward | ratio |"
  print "|---|---:|---:|---:|---:|---:|---:|---:|---:|"
  for (i = 1; i <= rows; i++) {
    n = count (i, "states")
    f = sum (i, "forward")
    b = sum (i, "parallel")
    printf "| %s | %s | %s | %s | %s | %s | %s us | %s us | %s |\n", row[i], seconds (f), each (f, n), seconds (b), each (b, n),
           strong (ratio (f, b)), kristensen_forward_us[i], kristensen_backward_us[i], ratio (kristensen_forward[i], kristensen_backward[i])
  }
  print "\n| endings | sequential, s | parallel on one rank, s | times as fast | least, by ending | most |"
  print "|---|---:|---:|---:|---:|---:|"
  for (i = 1; i <= rows; i++) {
    q = sum (i, "sequential")
    b = sum (i, "parallel")
    low = high = ""
    m = split (ending_list[i], e, " ")
    for (k = 1; k <= m && q >= 0; k++) {
      r = cpu[e[k], "sequential"] / cpu[e[k], "parallel"]
      if (k == 1 || r < low + 0) { low = r; least = e[k] }
      if (k == 1 || r > high + 0) { high = r; most = e[k] }
    }
    printf "| %s | %s | %s | %s | %s | %s |\n", row[i], seconds (q), seconds (b), strong (ratio (q, b)),
           q < 0 ? "" : sprintf ("%.1f (%s)", low, least), q < 0 ? "" : sprintf ("%.1f (%s)", high, most)
  }
}
