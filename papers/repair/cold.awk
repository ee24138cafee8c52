# The table of README.md: awk -f ../columns.awk -f cold.awk cold.csv
{
  key = col("codec") "," col("block")
  if (!(key in known)) {
    known[key]
    list[++n] = key
  }
  cold[key, col("reading")] = col("cold_us")
  ninety[key, col("reading")] = col("cold_90_us")
  pages[key, col("reading")] = col("pages")
  if (col("reading") == "page")
    warm[key] = col("warm_us")
  bytes[key] = col("file_bytes")
}
END {
  print "| codec, block | file | warm, us | page: cold, us | 90 % | pages | read ahead: cold, us | 90 % | pages |"
  print "|---|---:|---:|---:|---:|---:|---:|---:|---:|"
  for (i = 1; i <= n; i++) {
    k = list[i]
    split(k, part, ",")
    printf "| `%s`, %d | %s | %.1f | %.0f | %.0f | %.1f | %.0f | %.0f | %.0f |\n", part[1], part[2], grouped(bytes[k]), warm[k],
      cold[k, "page"], ninety[k, "page"], pages[k, "page"], cold[k, "readahead"], ninety[k, "readahead"], pages[k, "readahead"]
  }
}
