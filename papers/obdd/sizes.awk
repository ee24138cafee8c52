# The table of sizes of README.md: awk -f ../columns.awk -f sizes.awk kristensen.csv wdl-3-4.csv dtm-3-4.csv. Whole files, both sides to move; Kristensen's bytes where it
# prints the ending, and ours as a share of them; beside them those of EgmProbe 2.0 and Nalimov that Kristensen prints.
file == 1 {
  kristensen[col("ending"), 2] = col("wdl")
  kristensen[col("ending"), 3] = col("dtm")
  others[col("ending"), 2] = col("egmprobe_wdl")
  others[col("ending"), 3] = col("nalimov_dtm")
  next
}
{
  bytes[col("material"), file] = col("bytes")
  bytes["all", file] += col("bytes")
  counted[file]++
  if (file == 2)
    order[++n] = col("material")
}

# Of endings that are not in a file nothing is shown; the sum is compared if all 35 are there.
function pair(e, f,   line) {
  line = " " bytes[e, f] " |"
  if (e == "all" && counted[f] != 35)
    return " " bytes[e, f] " (" counted[f] " endings) | | | |"
  if (kristensen[e, f] == "" || bytes[e, f] == "")
    return line " | | |"
  return line " " kristensen[e, f] " | " sprintf("%.2f", bytes[e, f] / kristensen[e, f]) " |" (others[e, f] == "" ? "" : " " others[e, f]) " |"
}

END {
  print "| ending | WDL | Kristensen | share | EgmProbe | DTM | Kristensen | share | Nalimov |"
  print "|---|---:|---:|---:|---:|---:|---:|---:|---:|"
  order[++n] = "all"
  for (i = 1; i <= n; i++)
    print "| " order[i] " |" pair(order[i], 2) pair(order[i], 3)
}
