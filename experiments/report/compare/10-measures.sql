-- text: A: {(SELECT a FROM fact)}, {(SELECT a_rows FROM fact)} rows. B: {(SELECT b FROM fact)}, {(SELECT b_rows FROM fact)} rows. Both have
--   {(SELECT cells FROM fact)} cells; {(SELECT a_only FROM fact)} are in A only, {(SELECT b_only FROM fact)} in B only.
-- text: {(SELECT iif (by = ',,', '', 'Cells are paired that agree in all but ' || substr (by, 2, length (by) - 2) || '; of several in one store that do the smallest counts.') FROM fact)}
-- text: B divided by A: the geometric mean over the cells with its bounds (bootstrap over the cells); how many cells are smaller and larger in B,
--   as far as that is known (of times: the interval of their ratio, made of the bounds of both, does not contain 1); the largest ratio of these.
-- column: head | B / A
-- column: n | cells | count
-- column: mean | | ratio
-- column: bounds | 95 % | right
-- column: verdict | {''}
-- column: below | smaller | count
-- column: above | larger | count
-- column: worst | | ratio
-- column: cell | its cell

WITH measure (measure, head) AS (VALUES (0, 'bytes'), (1, 'encoding'), (2, 'decoding'), (3, 'one slot, median'), (4, 'probe, median')),
  summed AS (SELECT m.measure, m.head, count (ratio) AS n, geomean (ratio) AS mean, geomean_low (ratio) AS low, geomean_high (ratio) AS high,
    ifnull (sum (q.high < 1), 0) AS below, ifnull (sum (q.low > 1), 0) AS above, max (iif (q.low > 1, ratio, NULL)) AS worst,
    at_most (iif (q.low > 1, ratio, NULL), b_name) AS cell
  FROM measure m LEFT JOIN quotient q ON q.measure = m.measure LEFT JOIN pair p USING (pair) GROUP BY m.measure)
SELECT head, n, mean, bounds (low, high) AS bounds, CASE WHEN n = 0 THEN 'not measured' WHEN measure = 0 AND NOT above AND NOT below THEN 'equal'
  WHEN measure AND low IS NULL THEN 'no bounds: too few cells' WHEN measure AND low <= 1 AND high >= 1 THEN 'not distinguishable'
  WHEN mean > 1 THEN 'B is larger' WHEN mean < 1 THEN 'B is smaller' ELSE 'as much in the mean' END AS verdict, below, above, worst, cell
FROM summed ORDER BY measure
