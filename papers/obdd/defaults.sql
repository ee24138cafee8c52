-- What reformat might do by default, 3 and 4 men: bytes and CPU seconds of all 35 endings; WDL has no exact tables of
-- its own.
SELECT '| metric | codec | settings | numbering | sides | free | bytes | of the exact tables | larger than exact | CPU seconds | at most |';
SELECT '|---|---|---|---|---|---|---:|---:|---:|---:|---:|';
SELECT printf ('| %s | %s | %s | %s | %s | %s | %,d | %s | %s | %.0f | %.0f |', metric, codec,
               CASE settings WHEN '' THEN '' ELSE '`' || settings || '`' END, numbering, sides, freedom, SUM (bytes),
               CASE WHEN exact <> '' THEN printf ('%.2f', 1.0 * SUM (bytes) / SUM (exact)) ELSE '' END,
               CASE WHEN exact <> '' THEN printf ('%d of %d', SUM (CAST (bytes AS INT) > CAST (exact AS INT)), COUNT (*)) ELSE '' END,
               SUM (cpu_s), MAX (CAST (cpu_s AS REAL)))
  FROM "obdd/defaults" GROUP BY metric, codec, sides, freedom ORDER BY metric = 'wdl50', metric = 'dtz50', metric = 'dtc', metric = 'dtm', SUM (bytes) DESC;
