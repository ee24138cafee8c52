-- How far the piece orders of an ending lie apart in a :metric. Of each order the bytes of both sides to move by those of the best order of
-- each side, for each ending by rising median: ending, least, quartiles, most. Endings with 4 men, of which every order was measured in
-- both metrics.
WITH stream AS (SELECT "table" AS ending, side, replace ("order", '!', '') AS men, min (bytes + 0) AS bytes FROM "orders/orders"
    WHERE metric = :metric AND length ("table") = 5 GROUP BY 1, 2, 3),
  best AS (SELECT ending, sum (bytes) AS bytes FROM (SELECT ending, min (bytes) AS bytes FROM stream GROUP BY ending, side) GROUP BY ending),
  times AS (SELECT ending, 1.0 * sum (s.bytes) / best.bytes AS v FROM stream s JOIN best USING (ending) GROUP BY ending, men),
  ranked AS (SELECT *, row_number () OVER (PARTITION BY ending ORDER BY v) - 1 AS rank, count (*) OVER (PARTITION BY ending) - 1 AS last FROM times),
  quarter AS (SELECT ending, min (v) AS least, sum (v * max (0, 1 - abs (rank - 0.25 * last))) AS low, -- between the two values beside it
    sum (v * max (0, 1 - abs (rank - 0.5 * last))) AS median, sum (v * max (0, 1 - abs (rank - 0.75 * last))) AS high, max (v) AS most
    FROM ranked GROUP BY ending)
SELECT printf ('%s %.6f %.6f %.6f %.6f %.6f', ending, least, low, median, high, most) FROM quarter ORDER BY median, ending;
