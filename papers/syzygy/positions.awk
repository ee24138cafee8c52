# The table of README.md from positions.csv: awk -f ../columns.awk -f positions.awk positions.csv. Published: the number of positions of all
# tables of Syzygy with so many men, rights included.
BEGIN {
  split ("0 0 368079 125246598 25912594054 3787154440416", published, " ")
  print "| men | without pawns | with pawns | together | rights to castle | to take en passant | all | published | ours more |"
  print "|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
}
# All digits are kept: numbers as text.
function commas (s,   out) {
  while (length(s) > 3) {
    out = "," substr(s, length(s) - 2) out
    s = substr(s, 1, length(s) - 3)
  }
  return s out
}
{
  n = col("men")
  printf "| %d | %s | %s | %s | %s | %s | %s | %s | %s |\n", n, commas(col("pawnless")), commas(col("with_pawns")), commas(col("positions")), commas(col("castling")),
         commas(col("en_passant")), commas(col("all")), commas(published[n]), commas(sprintf ("%.0f", col("all") - published[n]))
}
