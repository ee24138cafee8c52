-- Coding White's side by 1 to 16 threads: seconds, how many times as fast as one, and CPU seconds of sixteen, all and the first one.
SELECT '| ending | codec | slots | 1 thread, s | 2 | 4 | 8 | 16 | times as fast, 2 | 4 | 8 | 16 | CPU by 16 | of the first |';
SELECT '|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|';
WITH t AS (
  SELECT ending, codec, slots, bytes, threads + 0 AS n, seconds + 0 AS s, cpu_s + 0 AS cpu, first_thread_cpu_s + 0 AS first FROM "threads/sixteen"
)
SELECT printf ('| %s | %s | %,d | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f |', ending, codec, slots,
               max (s) FILTER (WHERE n = 1), max (s) FILTER (WHERE n = 2), max (s) FILTER (WHERE n = 4), max (s) FILTER (WHERE n = 8),
               max (s) FILTER (WHERE n = 16), max (s) FILTER (WHERE n = 1) / max (s) FILTER (WHERE n = 2),
               max (s) FILTER (WHERE n = 1) / max (s) FILTER (WHERE n = 4), max (s) FILTER (WHERE n = 1) / max (s) FILTER (WHERE n = 8),
               max (s) FILTER (WHERE n = 1) / max (s) FILTER (WHERE n = 16), max (cpu) FILTER (WHERE n = 16), max (first) FILTER (WHERE n = 16))
  FROM t GROUP BY ending, codec HAVING min (bytes) = max (bytes) ORDER BY slots + 0 DESC;
