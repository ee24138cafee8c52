# The rows of estimate_model.c: an ending; which part of its positions is decided, in 1/10,000, White and Black to move; its longest mate in
# plies; how often neighbours are decided together, in 1/1,000. From tests/data/wdl-counts*.csv, tests/data/dtm-maxima*.csv and
# gen/marks_together.csv, in this order.
BEGIN { FS = "," }
FNR == 1 || /^#/ { next }
FILENAME ~ /wdl-counts/ {
  if (!(($1, "w") in decided))
    name[++n] = $1
  decided[$1, $2] = int (1e4 * ($8 - $5) / $8 + 0.5)
}
FILENAME ~ /dtm-maxima/ && $6 > plies[$1] { plies[$1] = $6 }
FILENAME ~ /together/ { together[$1] = $2 ", " $3 }
END {
  for (i = 1; i <= n; i++) {
    k = name[i]
    printf "{ \"%s\", { %d, %d }, %d, { %s } },\n", k, decided[k, "w"], decided[k, "b"], plies[k], k in together ? together[k] : "0, 0"
  }
}
