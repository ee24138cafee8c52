# Slots of the generator's index, and what an index without occupied squares would have: awk -f slots.awk [ENDING...], as Markdown; with
# -v csv=1 as CSV. Slots of both sides to move. Pawns keep their 48 squares, on which a king may stand.
function choose (n, k,   c, i) {
  c = 1
  for (i = 1; i <= k; i++)
    c = c * (n - k + i) / i
  return c
}
# Ways to place the men that are no kings: on all squares, or each on those that the men before it left.
function placements (ending, free_only,   side, half, c, i, count, letter, taken, ways, men) {
  split(ending, half, "v")
  ways = 1
  taken = 2
  men = "PQRBN" # pawns first: they have fewer squares
  for (i = 1; i <= 5; i++) {
    letter = substr(men, i, 1)
    for (side = 1; side <= 2; side++) {
      count = gsub(letter, "", half[side])
      if (!count)
        continue
      if (letter == "P") {
        ways *= choose(free_only ? 48 - taken + 2 : 48, count)
      } else
        ways *= choose(free_only ? 64 - taken : 64, count)
      taken += count
    }
  }
  return ways
}
function symmetric (ending,   half) {
  split(ending, half, "v")
  return half[1] == half[2]
}
BEGIN {
  n = ARGC - 1
  for (i = 1; i <= n; i++)
    ending[i] = ARGV[i]
  if (!n)
    n = split("KQvK KPvK KQvKR KRvKP KQQvK KPvKP KBNvK KQRvKQ KBBvKN KQQQvK KRPvKR KPPvKP KQRvKQR KBNvKBN KRPvKRP KPPvKPP KQQQQvK KRBNvKRB", ending, " ")
  print csv ? "ending,men,slots,without_occupied,share,gib,gib_without" : \
    "| ending | men | slots | without occupied squares | share | GiB at 16 bits | without |\n|---|---:|---:|---:|---:|---:|---:|"
  for (i = 1; i <= n; i++) {
    e = ending[i]
    kings = (e ~ /P/ ? 1806 : 462) * (symmetric(e) ? 1 : 2)
    now = kings * placements(e, 0)
    less = kings * placements(e, 1)
    printf csv ? "%s,%d,%s,%s,%.3f,%.3f,%.3f\n" : "| %s | %d | %s | %s | %.3f | %.3f | %.3f |\n", e, length(e) - 1,
      csv ? sprintf("%.0f", now) : grouped(now), csv ? sprintf("%.0f", less) : grouped(less), less / now, now / 2 ^ 29, less / 2 ^ 29
  }
}
