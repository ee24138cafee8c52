# Lines of `subdef-gen --json` -> a table of what was predicted and what was measured.
function value(name,   at) {
  at = match ($0, "\"" name "\":[-0-9.]+")
  return at ? substr ($0, RSTART + length (name) + 3, RLENGTH - length (name) - 3) + 0 : 0
}
function ratio(name,   real) {
  real = value (name)
  return real ? sprintf ("%.2f", value ("predicted_" name) / real) : "-"
}
BEGIN {
  print "| ending | bytes a position | predicted | resident | process predicted | marks | pred. / sent | table bytes | pred. / real |"
  print "|---|---:|---:|---:|---:|---:|---:|---:|---:|"
}
{
  split ($0, part, "\"")
  marks = value ("marks")
  printf "| %s | %.2f | %.2f | %.1f MB | %.1f MB | %d | %s | %d | %s |\n", part[4], value ("bytes_per_position"),
    value ("predicted_bytes_per_position"), value ("resident_bytes") / 1e6, value ("predicted_process_bytes") / 1e6,
    marks, marks < 1000 ? "-" : ratio ("marks"), value ("bytes"), ratio ("bytes")
  off = value ("predicted_bytes_per_position") / value ("bytes_per_position") - 1
  low = off < low ? off : low
  high = off > high ? off : high
}
END { printf "\nMemory: %.1f to %+.1f %%.\n", 100 * low, 100 * high }
