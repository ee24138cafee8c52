-- title: Bytes of both sides to move, and of the smaller one: the rows of metrics.conf and metrics-50.conf as metrics.csv.

SELECT "table", metric, codec, sum (positions) AS positions, sum (bytes) AS bytes, min (bytes) AS smaller_side FROM cell GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
