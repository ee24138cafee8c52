-- title: Compared in pairs
-- when: (SELECT any_baseline FROM fact)
-- text: Each table against itself in {(SELECT baseline_name FROM fact)}, in the same coding: its bytes{iif ((SELECT max (get_ratio) FROM pair),
--   ', and its median time of one slot, divided by those of the baseline (below 1: smaller, quicker)',
--   ' divided by those of the baseline (below 1: smaller)')}. Mean: the geometric mean over the tables, and its bounds with 95 %
--   (bootstrap over the tables, from three on). Of several piece orders the best counts, so that the mean holds the gain of the order and
--   that of the codec; "same order" takes the row in the baseline's order, of the tables that have one (their number stands beside it),
--   and holds the gain of the codec alone. pairs.csv has the ratios table by table.
-- column: title | metric
-- column: label | codec
-- column: free | freedom | apart
-- column: other_sides | sides | apart
-- column: tables | | count desk
-- column: mean | bytes, mean | ratio
-- column: mean_bounds | mean, 95 % | right desk
-- column: same_mean | same order, mean | ratio fold
-- column: same_tables | of these tables | count fold
-- column: worst | bytes, worst | ratio fold
-- column: worst_table | its table | fold
-- column: time_mean | time, mean | ratio
-- column: time_bounds | time, mean, 95 % | right desk
-- column: time_worst | time, worst | ratio fold
-- column: time_worst_table | its table | fold

-- Each choice of codec and settings, over the tables: `pair` is one line of each.
SELECT metric_title (metric) AS title, min (label) AS label, free,
  iif ((SELECT other_sides FROM fact), which_sides, NULL) AS other_sides, count (bytes_ratio) AS tables, geomean (bytes_ratio) AS mean,
  bounds (geomean_low (bytes_ratio), geomean_high (bytes_ratio)) AS mean_bounds, geomean (same_order_ratio) AS same_mean,
  count (same_order_ratio) AS same_tables, max (bytes_ratio) AS worst, at_most (bytes_ratio, "table") AS worst_table, geomean (get_ratio) AS time_mean,
  bounds (geomean_low (get_ratio), geomean_high (get_ratio)) AS time_bounds, max (get_ratio) AS time_worst,
  at_most (get_ratio, "table") AS time_worst_table
FROM pair GROUP BY choice ORDER BY choice
