# Time of a whole probe against the size of an LZMA block: awk -f ../columns.awk -f access.awk report/cells.csv prints access.csv, both sides to
# move (the mean of their medians); awk -v table=1 ... access.csv prints the tables of README.md: a straight line by least squares of relative
# residuals over the blocks of 16 to 128 kB that are smaller than the table, and what each halving does.
BEGIN { if (!table) print "table,codec,block,slots,get_ns,probe_ns,probe_scatter" }

!table && col("get_ns") != "" {
  key = col("table") "," col("codec") "," setting("block")
  sides[key]++
  get[key] += col("get_ns")
  probe[key] += col("probe_ns")
  slots[key] = col("slots")
  if (col("probe_scatter") + 0 > scatter[key])
    scatter[key] = col("probe_scatter") + 0
}

table {
  t = col("table")
  if (!(t in known)) {
    known[t] = col("slots")
    list[++n] = t
  }
  if (col("codec") == "lzma")
    ns[t, col("block")] = col("probe_ns")
  else
    other[t, col("block")] = col("probe_ns")
}

function fit (t,   b, w, sw, sx, sy, sxx, sxy, y) {
  points = 0
  sw = sx = sy = sxx = sxy = 0
  for (b = 16384; b <= 131072; b *= 2)
    if (b < known[t] && (t, b) in ns) {
      y = ns[t, b]
      w = 1 / (y * y)
      sw += w; sx += w * b; sy += w * y; sxx += w * b * b; sxy += w * b * y
      points++
    }
  if (points < 3)
    return 0
  slope = (sw * sxy - sx * sy) / (sw * sxx - sx * sx)
  base = (sy - slope * sx) / sw
  most = 0
  for (b = 16384; b <= 131072; b *= 2)
    if (b < known[t] && (t, b) in ns) {
      y = ns[t, b] / (base + slope * b) - 1
      if (y * y > most * most) {
        most = y
        where = b / 1024
      }
    }
  return 1
}
function mean_of (b,   i, t, m, log_sum) { # what halving to b does, geometric mean over the tables
  for (i = 1; i <= n; i++) {
    t = list[i]
    if ((t, b) in ns && (t, 2 * b) in ns && 2 * b < known[t]) {
      log_sum += log(ns[t, b] / ns[t, 2 * b])
      m++
    }
  }
  return m ? sprintf("%.2f", exp(log_sum / m)) : ""
}

END {
  if (!table) {
    for (key in get)
      printf "%s,%s,%.0f,%.0f,%.2f\n", key, slots[key], get[key] / sides[key], probe[key] / sides[key], scatter[key] | \
        "LC_ALL=C sort -t, -k4,4n -k1,1 -k2,2 -k3,3n"
    exit
  }
  print "| ending | slots | line over blocks of 16 to 128 kB, us | largest residual | 1 kB by the line | 1 kB, measured | RE-PAIR, 128 and 1024 bytes |"
  print "|---|---:|---|---|---:|---:|---:|"
  for (i = 1; i <= n; i++) {
    t = list[i]
    if (fit(t))
      printf "| %s | %s | %.1f + %.2f a kB | %+.0f %% (%d kB) | %.1f | %.1f | %.2f, %.2f |\n", t, grouped(known[t]), base / 1000, slope * 1.024,
        100 * most, where, (base + slope * 1024) / 1000, ns[t, 1024] / 1000, other[t, 128] / 1000, other[t, 1024] / 1000
    else
      printf "| %s | %s | too few blocks | | | %.1f | %.2f, %.2f |\n", t, grouped(known[t]), ns[t, 1024] / 1000, other[t, 128] / 1000, other[t, 1024] / 1000
  }
  print ""
  head = "| time after halving to |"
  rule = "|---|"
  for (b = 131072; b >= 1024; b /= 2) {
    head = head " " b / 1024 " kB |"
    rule = rule "---:|"
    means = means " " mean_of(b) " |"
  }
  print head "\n" rule "\n| times as long |" means
}
