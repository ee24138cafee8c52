# The rows of kristensen.conf: awk -f ../columns.awk -f steps.awk report/cells.csv prints steps.csv, a line for each ending, side and step,
# sorted, for a sweep's rows come in the order in which they were computed;
# awk -v table=1 ... kristensen.csv steps.csv prints the table of README.md, bytes of both sides.
BEGIN {
  if (!table)
    print "step,table,side,order,settings,bytes"
  fflush()
}

function step (group, k, i, n, pair) {
  sub(/-.*/, "", group)
  n = split("merge match starts clusters", k, " ")
  for (i = 1; i <= n; i++)
    pair = pair (i > 1 ? ";" : "") k[i] "=" setting(k[i])
  return group "," col("table") "," col("side") "," col("order") "," pair "," col("bytes")
}
!table { print step(col("group")) | "LC_ALL=C sort"; next }

file == 1 { theirs[col("ending")] = col("wdl"); next }

{
  # the order's place in the conf tells what it is, by which men are first and who is confined
  order = col("order")
  men = order
  gsub(/!/, "", men)
  what = col("step") == "pair" ? "placements of both kings as one digit" : \
         order ~ /^Kk!/ ? "Kk.., the black king confined" : \
         order ~ /^kK/ ? "kK.., the black king confined" : \
         order ~ /^Kk[QRP]!/ ? "Kk.., the queen confined" : \
         order ~ /^Kk/ ? "Kk.., the white king confined" : "the order of the name, the black king confined"
  split(col("settings"), s, ";")
  if (s[1] != "merge=root")
    what = "Kk..; from the leaves"
  if (s[1] != "merge=root" && s[2] != "match=first")
    what = what ", cover"
  if (s[1] == "merge=root" && s[2] != "match=first")
    what = "Kk..; cover"
  if (s[3] != "starts=0")
    what = what ", " s[3]
  if (s[4] != "clusters=1")
    what = what ", " s[4]
  if (!(what in known)) {
    known[what]
    list[++n] = what
  }
  sum[what, col("table")] += col("bytes")
}

END {
  if (!table)
    exit
  nt = split("KPvK KQvKR KQvKQ KRvKP", t, " ")
  line = "| |"
  rule = "|---|"
  for (i = 1; i <= nt; i++) {
    line = line " " t[i] " |"
    rule = rule "---:|"
  }
  print line "\n" rule
  line = "| Kristensen, 551 bytes of each file included |"
  for (i = 1; i <= nt; i++)
    line = line " " grouped(theirs[t[i]]) " |"
  print line
  for (k = 1; k <= n; k++) {
    line = "| " list[k] " |"
    for (i = 1; i <= nt; i++)
      line = line ((list[k], t[i]) in sum ? " " grouped(sum[list[k], t[i]]) : "") " |"
    print line
  }
}
