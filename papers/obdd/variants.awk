# What a stricter definition of a legal position removes: awk -f ../columns.awk -f variants.awk unreachable-variants.csv prints the table
# of README.md, shares of the positions in per cent. Endings of equal sides stand in one line, with White to move.
{
  men = col("men")
  positions[men] += col("positions")
  for (i = 1; i <= 4; i++) {
    n[men, i] += col(name[i])
    if (equal(col("ending")))
      twice[men, i] += col(name[i])
  }
  if (equal(col("ending")))
    more[men] += col("positions")
}
function equal (ending, part) {
  split(ending, part, "v")
  return part[1] == part[2]
}
BEGIN {
  split("unreachable without_promotions without_captures without_both", name, " ")
  split("any move is taken back|no promotions|no captures|neither", text, "|")
  published[3] = "0.137"
  published[4] = "0.593"
  published[5] = "1.53"
}
function share (a, b) {
  return sprintf (" %.3f |", 100 * a / b)
}
function line (head, kind, i,   men, out) {
  out = "| " head " |"
  for (men = 3; men <= 5; men++)
    out = out (kind == "all" ? share(n[men, i], positions[men]) \
      : kind == "rest" ? share(n[men, i], positions[men] - n[men, i]) \
      : kind == "twice" ? share(n[men, i] + twice[men, i], positions[men] + more[men]) \
      : share(n[men, i] + twice[men, i], positions[men] + more[men] - n[men, i] - twice[men, i]))
  print out
}
END {
  if (wrong_column)
    exit 1
  print "| removed, per cent | 3 men | 4 men | 5 men |\n|---|---:|---:|---:|"
  for (i = 1; i <= 4; i++)
    line(text[i], "all", i)
  line(text[1] ", of the positions that remain", "rest", 1)
  line(text[1] ", endings of equal sides twice", "twice", 1)
  line(text[1] ", both", "both", 1)
  print "| Kristensen 2005 | " published[3] " | " published[4] " | " published[5] " |"
}
