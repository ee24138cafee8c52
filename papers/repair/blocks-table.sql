-- Bytes against the size of a block: all endings with 4 men of history.csv, KRvKP alone, what Kristensen 2005, 2.9 prints of KRvKP, and what
-- Zakharov et al. say. Growth is against the next larger block of the same column.
CREATE TEMP VIEW b AS SELECT 'all' AS what, block + 0 AS block, sum (bytes) AS bytes FROM "repair/history" GROUP BY block + 0 HAVING count (*) = 30
UNION ALL SELECT 'KRvKP', block + 0, bytes + 0 FROM "repair/history" WHERE "table" = 'KRvKP'
UNION ALL SELECT 'theirs', "row" + 0, value + 0 FROM "published/published" WHERE source = 'kristensen2005' AND "table" = 'block size';
CREATE TEMP VIEW g AS SELECT what, block, printf ('%,d', bytes) AS bytes, printf ('%+.1f %%', 100.0 * bytes / lag (bytes) OVER w - 100) AS growth, lag (bytes) OVER w AS before,
  printf ('%+.1f %%', 100.0 * bytes / first_value (bytes) OVER w - 100) AS whole FROM b WINDOW w AS (PARTITION BY what ORDER BY block DESC);
CREATE TEMP VIEW c AS SELECT what, block, bytes, iif (before, growth, '') AS growth, iif (before, whole, '') AS whole FROM g;
SELECT '| block | 30 endings, bytes | the block before | 2 MB | KRvKP, bytes | the block before | Kristensen''s KRKP | the block before | Zakharov et al. |';
SELECT '|---:|---:|---:|---:|---:|---:|---:|---:|---|';
SELECT printf ('| %s | %s | %s | %s | %s | %s | %s | %s | %s |',
  CASE WHEN n.block >= 1048576 THEN (n.block / 1048576) || ' MB' WHEN n.block >= 1024 THEN (n.block / 1024) || ' kB' ELSE n.block || ' bytes' END,
  a.bytes, a.growth, a.whole, k.bytes, k.growth, t.bytes, t.growth,
  CASE WHEN n.block = 1048576 THEN '2 MB to 1 MB: a few per cent' WHEN n.block = 16384 THEN '2 MB to 16 kB: 45 %' WHEN n.block IN (32768, 8192, 4096) THEN 'each halving up to 10 %'
    WHEN n.block < 4096 THEN 'compression collapses' END)
FROM (SELECT DISTINCT block FROM b) n LEFT JOIN c a ON a.what = 'all' AND a.block = n.block LEFT JOIN c k ON k.what = 'KRvKP' AND k.block = n.block
  LEFT JOIN c t ON t.what = 'theirs' AND t.block = n.block ORDER BY n.block DESC;
