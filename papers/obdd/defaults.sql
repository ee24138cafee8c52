-- What reformat might do by default with plies, 3 and 4 men: bytes and CPU seconds of all 35 endings.
SELECT '| metric | codec | settings | numbering | sides | bytes | of the exact tables | larger than exact | CPU seconds | at most |';
SELECT '|---|---|---|---|---|---:|---:|---:|---:|---:|';
SELECT printf ('| %s | %s | %s | %s | %s | %,d | %.2f | %d of %d | %.0f | %.0f |', metric, codec,
               CASE settings WHEN '' THEN '' ELSE '`' || settings || '`' END, numbering, sides, SUM (bytes),
               1.0 * SUM (bytes) / SUM (exact), SUM (CAST (bytes AS INT) > CAST (exact AS INT)), COUNT (*), SUM (cpu_s),
               MAX (CAST (cpu_s AS REAL)))
  FROM "obdd/defaults" GROUP BY metric, codec ORDER BY metric = 'dtz50', metric = 'dtc', SUM (bytes) DESC;
