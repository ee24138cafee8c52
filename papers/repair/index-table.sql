-- The tight and the simple index in the best order of each: WDL and DTM, all endings, those without pawns, those with.
-- Endings of less than 1000 bytes are left out.
CREATE TEMP VIEW e AS SELECT "table" AS ending, metric, sum (tight_bytes) AS tight, sum (simple_bytes) AS simple,
  sum (tight_slots) AS tight_slots, sum (simple_slots) AS simple_slots, "table" LIKE '%P%' AS pawns
FROM "repair/index" WHERE tight_orders + 0 AND simple_orders + 0 GROUP BY 1, 2 HAVING sum (simple_bytes) >= 1000;
CREATE TEMP VIEW r AS SELECT *, 1.0 * simple / tight AS ratio FROM e;
CREATE TEMP VIEW kinds AS SELECT column1 AS place, column2 AS what, column3 AS pawns
FROM (VALUES (1, '', NULL), (2, ', without pawns', 0), (3, ', with pawns', 1));
CREATE TEMP VIEW least AS SELECT metric, place, ending, min (ratio) AS ratio FROM r JOIN kinds k ON k.pawns IS NULL OR k.pawns = r.pawns GROUP BY 1, 2;
CREATE TEMP VIEW most AS SELECT metric, place, ending, max (ratio) AS ratio FROM r JOIN kinds k ON k.pawns IS NULL OR k.pawns = r.pawns GROUP BY 1, 2;
SELECT '| best order of each | endings | slots, simple / tight | tight, bytes | simple, bytes | simple / tight | geometric mean | simple is smaller | least | most |';
SELECT '|---|---:|---:|---:|---:|---:|---:|---:|---|---|';
SELECT printf ('| %s | %d | %.2f | %,d | %,d | %.3f | %.3f | %d | %.2f (%s) | %.2f (%s) |', upper (metric) || what, count (*),
  1.0 * sum (simple_slots) / sum (tight_slots), sum (tight), sum (simple), 1.0 * sum (simple) / sum (tight),
  exp (avg (ln (r.ratio))), sum (r.ratio < 1), least.ratio, least.ending, most.ratio, most.ending)
FROM r JOIN kinds k ON k.pawns IS NULL OR k.pawns = r.pawns JOIN least USING (metric, place) JOIN most USING (metric, place)
GROUP BY metric, place ORDER BY metric DESC, place;
