-- Sums over all endings by metric, a line each figure; a dash where one ending lacks it.
CREATE TEMP VIEW s AS SELECT metric, "of" AS what, min (rowid) AS place, sum (bytes) AS b, sum (at_least) AS l, sum (model) AS m, sum (bytes = '') AS missing,
  sum (at_least <> '') AS bounds FROM "limits/limits" GROUP BY 1, 2;
CREATE TEMP VIEW c AS SELECT metric, what, place, iif (missing, '- | - | -', printf ('%,d | %s | %,d', b, iif (bounds, printf ('%,d', l), ''), m)) AS text FROM s;
SELECT '| | WDL, bytes | at least | model | DTM, bytes | at least | model |';
SELECT '|---|---:|---:|---:|---:|---:|---:|';
SELECT printf ('| %s | %s | %s |', w.what, w.text, d.text) FROM c w JOIN c d ON d.what = w.what AND d.metric = 'dtm' WHERE w.metric = 'wdl' ORDER BY w.place;
