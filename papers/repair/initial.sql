-- The initial replacement in front of RE-PAIR: bytes of all streams, 35 endings.
SELECT '| `initial` | WDL, bytes | by `ternary` | streams smaller, larger | largest ratio | DTM, bytes | by `ternary` | streams smaller, larger | largest ratio |';
SELECT '|---|---:|---:|---|---:|---:|---:|---|---:|';
CREATE TEMP VIEW r AS SELECT i.metric, i.initial, i.bytes + 0 AS b, t.bytes + 0 AS k FROM "repair/initial" i
JOIN "repair/initial" t ON t."table" = i."table" AND t.metric = i.metric AND t.side = i.side AND t.initial = 'ternary';
CREATE TEMP VIEW s AS SELECT metric, initial, sum (b) AS bytes, sum (k) AS ternary, sum (b < k AND k > 1000) AS smaller, sum (b > k AND k > 1000) AS larger,
  max (iif (k > 1000, 1.0 * b / k, 0)) AS most FROM r GROUP BY 1, 2;
SELECT printf ('| `%s` | %,d | %.3f | %d, %d | %.2f |', w.initial, w.bytes, 1.0 * w.bytes / w.ternary, w.smaller, w.larger, w.most)
  || iif (d.initial IS NULL, ' | | | |', printf (' %,d | %.3f | %d, %d | %.2f |', d.bytes, 1.0 * d.bytes / d.ternary, d.smaller, d.larger, d.most))
FROM s w LEFT JOIN s d ON d.initial = w.initial AND d.metric = 'dtm' WHERE w.metric = 'wdl' ORDER BY w.bytes;
