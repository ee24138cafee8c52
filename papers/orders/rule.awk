# Which piece order wins? A rule from orders.csv, and how good it is: awk -F, -f rule.awk orders.csv
# A man of an order is of the player to move (m) or of the other one (o), and a kind: mK, oR. The rule adds for each two men a number that
# says what it costs that the first stands before the second; these numbers are fitted to ln (bytes / geometric mean of the stream's
# orders) by least squares with a ridge of RIDGE. For each ending with 4 men the rule is fitted on the others and then puts its orders into
# a row; what the best of the first 1, 2, 4, 8 takes more than the best of all, in per cent of the bytes of all endings, is the regret.
# Endings with 5 men are put into a row by the rule of all with 4 men.
# It is no query: the rule has a number for each two men, dozens for a metric, fitted anew for each ending that is left out. The regression of
# queries takes 12 columns and has no ridge, and SQL has no matrices in which equations of this size are solved.
BEGIN { RIDGE = 1; split("1 2 4 8", TRIED, " ") }
NR == 1 { # columns by their names
  for (i = 1; i <= NF; i++)
    column[$i] = i
  next
}

function kinds(order, side, list,   i, n, c, white) {
  gsub(/[^A-Za-z]/, "", order)
  n = length(order)
  for (i = 1; i <= n; i++) {
    c = substr(order, i, 1)
    white = c == toupper(c)
    list[i] = ((white && side == "w") || (!white && side == "b") ? "m" : "o") toupper(c)
  }
  return n
}
# features of row r: numbers in has[r, 1..n(n-1)/2]
function features(r, order, side,   list, n, i, k, key) {
  n = kinds(order, side, list)
  pairs[r] = 0
  for (i = 1; i < n; i++)
    for (k = i + 1; k <= n; k++) {
      key = metric[r] " " list[i] " " list[k]
      if (!(key in number))
        number[key] = ++features_of[metric[r]]
      has[r, ++pairs[r]] = number[key]
    }
}
{
  r = ++rows
  metric[r] = $column["metric"]
  ending[r] = $column["table"]
  bytes[r] = $column["bytes"] + 0
  stream[r] = metric[r] " " ending[r] " " $column["side"]
  size[r] = men(ending[r])
  features(r, $column["order"], $column["side"])
  logs[stream[r]] += log(bytes[r])
  orders[stream[r]]++
  total[stream[r]] += bytes[r]
  if (!(stream[r] in best) || bytes[r] < best[stream[r]])
    best[stream[r]] = bytes[r]
  member[stream[r], orders[stream[r]]] = r
}
function men(name) { gsub(/v/, "", name); return length(name) }

# weight[1..n] of the rule of a metric, fitted on the streams with 4 men but those of `without`
function fit(m, without,   n, r, i, k, y, f, p, best_row, t) {
  n = features_of[m]
  delete A
  delete b
  for (r = 1; r <= rows; r++) {
    if (metric[r] != m || size[r] != 4 || ending[r] == without)
      continue
    y = log(bytes[r]) - logs[stream[r]] / orders[stream[r]]
    for (i = 1; i <= pairs[r]; i++) {
      b[has[r, i]] += y
      for (k = 1; k <= pairs[r]; k++)
        A[has[r, i], has[r, k]]++
    }
  }
  for (i = 1; i <= n; i++)
    A[i, i] += RIDGE
  for (i = 1; i <= n; i++) # positive definite: no pivots
    for (r = i + 1; r <= n; r++) {
      f = A[r, i] / A[i, i]
      if (f == 0)
        continue
      for (k = i; k <= n; k++)
        A[r, k] -= f * A[i, k]
      b[r] -= f * b[i]
    }
  for (i = n; i >= 1; i--) {
    weight[i] = b[i]
    for (k = i + 1; k <= n; k++)
      weight[i] -= A[i, k] * weight[k]
    weight[i] /= A[i, i]
  }
}
# the rule's row of a stream: least[t] is the smallest of the first t
function first_ones(s, least,   n, i, k, r, score, list, t, now) {
  n = orders[s]
  for (i = 1; i <= n; i++) {
    list[i] = r = member[s, i]
    score[r] = 0
    for (k = 1; k <= pairs[r]; k++)
      score[r] += weight[has[r, k]]
  }
  for (i = 2; i <= n; i++)
    for (k = i; k > 1 && score[list[k]] < score[list[k - 1]]; k--) {
      t = list[k]
      list[k] = list[k - 1]
      list[k - 1] = t
    }
  for (i = 1; i <= n; i++) {
    now = i == 1 || bytes[list[i]] < now ? bytes[list[i]] : now
    least[i] = now
  }
  return n
}
function line(m, what, wanted,   s, part, n, t, least, sum, all, mean, count, worst, where, r, fitted) {
  for (s in orders) {
    split(s, part, " ")
    if (part[1] != m || men(part[2]) != wanted || orders[s] < 6)
      continue
    of[part[2]] = of[part[2]] s "\n"
  }
  for (r in of) {
    fit(m, wanted == 4 ? r : "")
    t = split(of[r], list_of_streams, "\n") - 1
    for (; t >= 1; t--) {
      s = list_of_streams[t]
      n = first_ones(s, least)
      count++
      all += best[s]
      mean += total[s] / n
      for (i = 1; i in TRIED; i++)
        sum[i] += least[TRIED[i] < n ? TRIED[i] : n]
      if (least[1] / best[s] > worst && best[s] > 1000) {
        worst = least[1] / best[s]
        where = r
      }
    }
  }
  delete of
  if (!count)
    return
  printf "| %s | %s | %d | %.1f %%", toupper(m), what, count, 100 * (mean / all - 1)
  for (i = 1; i in TRIED; i++)
    printf " | %.1f %%", 100 * (sum[i] / all - 1)
  printf " | %.2f %s |\n", worst, where
}
END {
  print "| metric | tested on | streams | any order | first | best of 2 | best of 4 | best of 8 | first, worst (1 kB and more) |"
  print "|---|---|---:|---:|---:|---:|---:|---:|---|"
  line("wdl", "4 men, each left out", 4)
  line("dtm", "4 men, each left out", 4)
  line("wdl", "5 men", 5)
  for (i = 1; i <= 2; i++) {
    m = i == 1 ? "wdl" : "dtm"
    fit(m, "")
    print "\n" toupper(m) ", what it costs or saves that the first stands before the second (natural logarithm of the bytes):"
    print "\n| first | second | cost |\n|---|---|---:|"
    for (key in number) {
      split(key, part, " ")
      if (part[1] == m && part[2] < part[3] && (m " " part[3] " " part[2]) in number)
        printf "| %s | %s | %+.2f |\n", part[2], part[3], weight[number[key]] | "LC_ALL=C sort"
    }
    close("LC_ALL=C sort")
  }
}
