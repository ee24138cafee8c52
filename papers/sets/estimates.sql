-- What estimates miss by: measured beside estimated.
CREATE TEMP TABLE e AS SELECT 'WDL' AS metric, length (ending) - 1 AS men, ending, cpu_s / estimated_s AS time, 1.0 * nullif (memory, '') / estimated_memory AS memory,
  cpu_s + 0 AS cpu, estimated_s + 0 AS guess FROM "sets/estimates-wdl" WHERE cpu_s + 0 >= .3
  UNION ALL SELECT 'DTM', length (ending) - 1, ending, cpu_s / estimated_s, 1.0 * nullif (memory, '') / estimated_memory, cpu_s + 0, estimated_s + 0
  FROM "sets/estimates-dtm" WHERE cpu_s + 0 >= .3;
SELECT '| metric | men | endings | time together, of the estimate | within a quarter | the largest | memory within a quarter | the largest |';
SELECT '|---|---|---:|---:|---:|---|---:|---|';
SELECT printf ('| %s | %d | %d | %.2f | %d | %s, %.2f | %s | %s, %.2f |', metric, men, count (*), sum (cpu) / sum (guess),
  sum (time BETWEEN .75 AND 1.25), (SELECT ending FROM e f WHERE f.metric = e.metric AND f.men = e.men ORDER BY time DESC LIMIT 1), max (time),
  printf ('%d of %d', sum (memory BETWEEN .75 AND 1.25), count (memory)), (SELECT ending FROM e f WHERE f.metric = e.metric AND f.men = e.men ORDER BY memory DESC LIMIT 1), max (memory))
  FROM e GROUP BY metric, men ORDER BY metric DESC, men;
