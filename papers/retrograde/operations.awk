# How much all endings take by the estimate, by numbers of men: subdef gen --men 7 --estimate --json | awk -f operations.awk prints
# operations.csv. `largest` is the ending with most states; memory is that of one process that solves it.
function value(name,   at) {
  at = match($0, "\"" name "\":[-0-9.]+")
  return at ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3) + 0 : 0
}
{
  split($0, part, "\"")
  ending = part[4]
  men = length(ending) - 1 # but for the v
  endings[men]++
  states[men] += value("states")
  marks[men] += value("marks")
  seconds[men] += value("cpu_seconds")
  table[men] += value("table_bytes")
  if (value("states") > most[men]) {
    most[men] = value("states")
    largest[men] = ending
    memory[men] = value("memory_bytes")
  }
}
END {
  print "men,endings,states,marks,cpu_s,table_bytes,largest,largest_states,largest_memory_bytes"
  for (men = 3; men in endings; men++)
    printf "%d,%d,%.0f,%.0f,%.4g,%.0f,%s,%.0f,%.0f\n", men, endings[men], states[men], marks[men], seconds[men], table[men], largest[men], most[men], memory[men]
}
