-- title: The best and the worst order of each stream, and the mean: the rows of orders.conf in one metric as orders-wdl.csv or orders-dtm.csv.

WITH o AS (SELECT *, row_number () OVER (PARTITION BY "table", side ORDER BY bytes, id) AS least,
    row_number () OVER (PARTITION BY "table", side ORDER BY bytes DESC, id) AS most FROM cell)
SELECT "table", side, count (*) AS orders, max ("order") FILTER (WHERE least = 1) AS best_order, min (bytes) AS best_bytes,
  max ("order") FILTER (WHERE most = 1) AS worst_order, max (bytes) AS worst_bytes, CAST (avg (bytes) AS INT) AS mean_bytes,
  printf ('%.2f', 1.0 * max (bytes) / min (bytes)) AS worst_by_best, printf ('%.1f', 100 - 100 * min (bytes) / avg (bytes)) AS best_below_mean_percent
FROM o GROUP BY 1, 2 ORDER BY min (id)
