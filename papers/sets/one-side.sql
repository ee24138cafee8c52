-- WDL files that store one side to move, beside those of both and other systems' of one side.
CREATE TEMP TABLE one AS SELECT length (o.material) - 1 AS men, o.bytes + 0 AS bytes, w.bytes + 0 AS of_both, o.cpu_s + 0 AS cpu, o.memory + 0 AS memory,
  CASE length (o.material) - 1 WHEN 3 THEN 5 WHEN 4 THEN 30 ELSE 110 END AS of
  FROM "sets/wdl-one-3-5" o JOIN "sets/wdl-3-5" w USING (material);
SELECT '| men | endings made | of | bytes, one side to move | both | share | CPU-h | most memory, MB |';
SELECT '|---|---:|---:|---:|---:|---:|---:|---:|';
SELECT printf ('| %d | %d | %d | %,d | %,d | %.2f | %.2f | %,d |', men, count (*), of, sum (bytes), sum (of_both), 1.0 * sum (bytes) / sum (of_both),
  sum (cpu) / 3600, max (memory) / 1e6) FROM one GROUP BY men ORDER BY men;
SELECT printf ('| all | %d | 145 | %,d | %,d | %.2f | %.2f | %,d |', count (*), sum (bytes), sum (of_both), 1.0 * sum (bytes) / sum (of_both),
  sum (cpu) / 3600, max (memory) / 1e6) FROM one;
SELECT printf ('| those with 5 men that are not made yet | %d | | | %,d | | | |', count (*), sum (bytes + 0))
  FROM "sets/wdl-3-5" WHERE material NOT IN (SELECT material FROM "sets/wdl-one-3-5") HAVING count (*);
