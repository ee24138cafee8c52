-- Endings of a set that are made, by men, and their bytes beside Syzygy's.
CREATE TEMP TABLE part AS SELECT length (material) - 1 AS men, bytes + 0 AS bytes, cpu_s + 0 AS cpu, memory + 0 AS memory, s.wdl + 0 AS public
  FROM "sets/wdl-3-5" w JOIN "sets/syzygy" s ON s.ending = w.material;
SELECT '| men | endings made | of | bytes | Syzygy''s | share | CPU-h | most memory, MB |';
SELECT '|---|---:|---:|---:|---:|---:|---:|---:|';
SELECT printf ('| %d | %d | %d | %,d | %,d | %.2f | %.2f | %,d |', men, count (*), CASE men WHEN 3 THEN 5 WHEN 4 THEN 30 ELSE 110 END, sum (bytes),
  sum (public), 1.0 * sum (bytes) / sum (public), sum (cpu) / 3600, max (memory) / 1e6) FROM part GROUP BY men ORDER BY men;
SELECT printf ('| all | %d | 145 | %,d | %,d | %.2f | %.2f | %,d |', count (*), sum (bytes), sum (public), 1.0 * sum (bytes) / sum (public),
  sum (cpu) / 3600, max (memory) / 1e6) FROM part;
