-- Bytes of all sides of all endings, a table each metric; what the step before has in units of this one, as geometric mean over the endings,
-- and the least and the greatest. Then bytes of WDL with both, one or none of two ideas, of the endings that have all four.
CREATE TEMP TABLE c AS SELECT metric, "group" AS g, "table" AS ending, sum (bytes) AS bytes, min (bytes + 0) AS least FROM "staircase/staircase" GROUP BY 1, 2, 3;
CREATE TEMP VIEW s AS SELECT metric, g + 0 AS step, replace (replace (substr (g, instr (g, '-') + 1), '-wdl', ''), '-dtm', '') AS what, ending, bytes, least FROM c WHERE g + 0 > 0;
CREATE TEMP TABLE r AS SELECT n.metric, n.step, n.step || ' ' || n.what AS title, ending, n.bytes, 1.0 * b.bytes / n.bytes AS gain
FROM s n JOIN s b USING (metric, ending) WHERE b.step = max (1, n.step - 1)
UNION ALL SELECT metric, 99, 'diagram, one side', ending, least, 1.0 * bytes / least FROM s WHERE what = 'diagram'; -- the smaller side: what is stored of one
CREATE TEMP VIEW lines AS SELECT metric, step, printf ('| %s | %d | %d | %.3f | %s | %s |', title, count (*), sum (bytes), exp (avg (ln (gain))),
  (SELECT printf ('%.3f %s', gain, ending) FROM r WHERE metric = o.metric AND step = o.step ORDER BY gain, ending LIMIT 1),
  (SELECT printf ('%.3f %s', gain, ending) FROM r WHERE metric = o.metric AND step = o.step ORDER BY gain DESC, ending LIMIT 1)) AS line
FROM r o GROUP BY metric, step ORDER BY step;
SELECT printf ('| %s, step | endings | bytes | gain | least | greatest |', metric) || char (10) || '|---|---:|---:|---:|---|---|' || char (10) || group_concat (line, char (10)) || char (10)
FROM lines GROUP BY metric ORDER BY metric DESC;
WITH ideas (place, neither, one, other, both, above, below, "left", "right") AS (VALUES
  (1, '1-lzma', 'free-alone', '2-order', '5-promotions', 'order of the name', 'best order', 'no freedom', 'all freedom'),
  (2, '8-final', '9-subdefinite', 'filled-exact', '10-initial', 'no slot filled', '`initial=ternary`', 'exact pairs', 'subdefinite pairs')),
sums AS (SELECT ideas.*, count (*) AS endings, sum (n.bytes) AS n, sum (o.bytes) AS o, sum (t.bytes) AS t, sum (b.bytes) AS b
  FROM ideas JOIN c n ON n.g = neither JOIN c o ON o.g = one JOIN c t ON t.g = other JOIN c b ON b.g = both
  WHERE n.metric = 'wdl' AND o.metric = 'wdl' AND t.metric = 'wdl' AND b.metric = 'wdl' AND o.ending = n.ending AND t.ending = n.ending AND b.ending = n.ending GROUP BY place)
SELECT printf ('| wdl, %d endings | %s | %s | |', endings, "left", "right") || char (10) || '|---|---:|---:|---:|' || char (10)
  || printf ('| %s | %d | %d | %.2f |', above, n, o, 1.0 * n / o) || char (10) || printf ('| %s | %d | %d | %.2f |', below, t, b, 1.0 * t / b) || char (10)
  || printf ('| | %.2f | %.2f | %.2f |', 1.0 * n / t, 1.0 * o / b, 1.0 * n / b) || char (10)
FROM sums ORDER BY place;
