-- All 145 endings with 3 to 5 men together, beside other systems' WDL.
SELECT '| WDL, 3 to 5 men, 145 endings | bytes | share of Syzygy''s |';
SELECT '|---|---:|---:|';
CREATE TEMP TABLE all_of AS SELECT bytes + 0 AS bytes FROM "sets/published" WHERE system = 'Syzygy';
SELECT printf ('| subdef, both sides to move, by default settings of several versions%s | **%,d** | %.2f |', iif (count (*) = 145, '', printf (', %d files', count (*))), sum (w.bytes),
               1.0 * sum (w.bytes) / (SELECT bytes FROM all_of)) FROM "sets/wdl-3-5" w;
SELECT printf ('| subdef, both sides to move, the smallest files that are known | **%,d** | %.2f |', sum (min (w.bytes + 0, ifnull (b.bytes, w.bytes) + 0, ifnull (f.bytes, w.bytes) + 0)),
               1.0 * sum (min (w.bytes + 0, ifnull (b.bytes, w.bytes) + 0, ifnull (f.bytes, w.bytes) + 0)) / (SELECT bytes FROM all_of))
  FROM "sets/wdl-3-5" w LEFT JOIN "best-wdl-3-4" b USING (material) LEFT JOIN "best-wdl-5" f USING (material);
SELECT printf ('| subdef, one side to move | **%,d** | %.2f |', sum (bytes), 1.0 * sum (bytes) / (SELECT bytes FROM all_of))
  FROM "sets/wdl-one-3-5" HAVING count (*) = 145;
SELECT printf ('| %s (%s) | %,d | %.2f |', system, about, bytes, 1.0 * bytes / (SELECT bytes FROM all_of)) FROM "sets/published" ORDER BY bytes + 0;
