-- What one side to move takes off. Endings that are the same for both sides (no order_b) have one side anyway, and count in the first lines only.
CREATE TEMP VIEW o AS
SELECT b.order_b = '' AS alike, 'greedy parse' AS parse, b.bytes AS two, o.bytes AS one FROM "repair/wdl-3-4" b JOIN "repair/wdl-one-sided-3-4" o USING (material)
UNION ALL SELECT b.order_b = '', '`parse=optimal`', b.optimal_bytes, o.optimal_bytes FROM "repair/wdl-3-4" b JOIN "repair/wdl-one-sided-3-4" o USING (material);
SELECT '| WDL, whole files | endings | both sides | one side | times smaller | geometric mean |';
SELECT '|---|---:|---:|---:|---:|---:|';
WITH w (title, least) AS (VALUES ('all', 1), ('two different sides', 0))
SELECT printf ('| %s, %s | %d | %,d | %,d | %.2f | %.1f |', title, parse, count (*), sum (two), sum (one), 1.0 * sum (two) / sum (one), exp (avg (ln (1.0 * two / one))))
FROM w JOIN o ON alike <= least GROUP BY title, parse ORDER BY title, parse DESC;
