-- Blocks and bytes, times those in blocks of 64 KiB (:of: all endings with 4 men, where each was measured; KRvKP; Kristensen).
WITH b AS (SELECT block + 0 AS block, sum (bytes) AS bytes FROM "repair/history" WHERE :of IN ('all', "table") GROUP BY 1 HAVING :of <> 'all' OR count (*) >= 30
  UNION ALL SELECT "row" + 0, value FROM "published/published" WHERE :of = 'Kristensen' AND source = 'kristensen2005' AND "table" = 'block size')
SELECT block, 1.0 * bytes / (SELECT bytes FROM b WHERE block = 65536) FROM b ORDER BY block;
