-- Endings of a set that are made, by men, and their bytes beside Syzygy's public files where these are known.
CREATE TEMP TABLE part AS SELECT length (material) - 1 AS men, bytes + 0 AS bytes, cpu_s + 0 AS cpu, memory + 0 AS memory, s.wdl + 0 AS public
  FROM "sets/wdl-3-5" w LEFT JOIN "sets/syzygy" s ON s.ending = w.material;
SELECT '| men | endings made | of | bytes | CPU-h | most memory, MB | with a known public file | these bytes | Syzygy''s | share |';
SELECT '|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|';
SELECT printf ('| %d | %d | %d | %,d | %.2f | %,d | %d | %,d | %,d | %.2f |', men, count (*), CASE men WHEN 3 THEN 5 WHEN 4 THEN 30 ELSE 110 END, sum (bytes),
  sum (cpu) / 3600, max (memory) / 1e6, count (public), sum (iif (public, bytes, 0)), sum (public), 1.0 * sum (iif (public, bytes, 0)) / sum (public))
  FROM part GROUP BY men ORDER BY men;
SELECT printf ('| all | %d | 145 | %,d | %.2f | %,d | %d | %,d | %,d | %.2f |', count (*), sum (bytes), sum (cpu) / 3600, max (memory) / 1e6,
  count (public), sum (iif (public, bytes, 0)), sum (public), 1.0 * sum (iif (public, bytes, 0)) / sum (public)) FROM part;
