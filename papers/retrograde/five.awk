# Compares what `subdef-gen --json` tells of endings with published WDL counts and longest mates:
#   awk -f ../columns.awk -f five.awk tests/data/wdl-counts-5.csv tests/data/dtm-maxima-5.csv LINES...
# Published counts tell equal pieces apart. With pawns that is a factor; without, a few placements on the diagonal count less, and
# only tests/gen/test_truth can tell: such endings get the word "mates" here, for longest mates alone.
function number(text, name,   at) { # of a member; text from its object on
  at = match (text, "\"" name "\":[-0-9.]+")
  return at ? substr (text, RSTART + length (name) + 3, RLENGTH - length (name) - 3) + 0 : 0
}
function factorial(n) { return n < 2 ? 1 : n * factorial (n - 1) }
function orders(name,   n, i, k, same, half, run) { # of equal pieces of one colour
  n = split (name, half, "v")
  same = 1
  for (k = 1; k <= n; k++)
    for (i = 2; i <= length (half[k]); i++) {
      run = substr (half[k], i, 1) == substr (half[k], i - 1, 1) ? run + 1 : 1
      same *= run
    }
  return same
}
function differs(what, here, there) {
  if (here + 0 != there + 0) {
    printf "%s: %s: %d here, %d published\n", ending, what, here, there >"/dev/stderr"
    wrong++
  }
}
file == 1 && $0 !~ /^[{]/ {
  who = col("material") SUBSEP col("side_to_move")
  won[who] = col("wins") + col("cursed_wins")
  drawn[who] = col("draws")
  lost[who] = col("losses") + col("blessed_losses")
  next
}
file == 2 && $0 !~ /^[{]/ {
  if (col("side_to_move") != "either")
    plies[col("material"), col("side_to_move"), col("result_for_side_to_move")] = col("plies")
  next
}
{
  split ($0, part, "\"")
  ending = part[4]
  if (ending in seen || length (ending) != 6)
    next
  seen[ending] = 1
  same = orders (ending)
  exact = same == 1 || ending ~ /P/
  rows = wrong = 0
  for (s = 1; s <= 2; s++) {
    side = substr ("wb", s, 1)
    rest = substr ($0, index ($0, s == 1 ? "\"white\":" : "\"black\":"))
    if (exact && (ending, side) in won) {
      differs(side " won", number(rest, "won") * same, won[ending, side])
      differs(side " drawn", number(rest, "drawn") * same, drawn[ending, side])
      differs(side " lost", number(rest, "lost") * same, lost[ending, side])
      rows++
    }
    for (r = 1; r <= 2; r++) {
      result = r == 1 ? "win" : "loss"
      if ((ending, side, result) in plies) {
        differs(side " longest " result, number(rest, "longest_" result "_plies"), plies[ending, side, result])
        mates[ending]++
      }
    }
  }
  bad += wrong > 0
  printf "%s,%d,%d,%d,%s\n", ending, number($0, "positions"), number($0, "mate_moves"), number($0, "bytes"),
    wrong ? "DIFFERS" : rows && mates[ending] ? "WDL and mates" : mates[ending] ? "mates" : "nothing published"
}
END { exit bad > 0 }
