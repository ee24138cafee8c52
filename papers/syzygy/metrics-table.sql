-- Sums of the 35 endings by metric; then the endings, the smaller file of each, but for those in which nearly everything is drawn: heads of files.
CREATE TEMP VIEW e AS SELECT r."table" AS ending, metric, r.positions + 0 AS positions, r.bytes + 0 AS repair, o.bytes + 0 AS obdd, min (r.bytes + 0, o.bytes + 0) AS least,
  min (r.smaller_side + 0, o.smaller_side + 0) AS side FROM "syzygy/metrics" r JOIN "syzygy/metrics" o USING ("table", metric) WHERE r.codec = 'repair' AND o.codec = 'obdd';
CREATE TEMP VIEW bits AS SELECT 8.0 / sum (positions) AS b FROM e WHERE metric = 'wdl';
SELECT '| metric | `repair`, bytes | `obdd`, bytes | the smaller one of each ending | `repair`, bits | `obdd`, bits | smaller, bits |';
SELECT '|---|---:|---:|---:|---:|---:|---:|';
SELECT printf ('| %s | %,d | %,d | %,d | %.3f | %.3f | %.3f |', upper (metric), sum (repair), sum (obdd), sum (least), b * sum (repair), b * sum (obdd), b * sum (least))
FROM e, bits GROUP BY metric ORDER BY metric = 'dtm', metric = 'dtz50', metric = 'wdl50';
SELECT printf ('| WDL50, and DTZ50 of one side to move | | | %,d | | | %.3f |', sum (iif (metric = 'wdl50', least, side)), b * sum (iif (metric = 'wdl50', least, side)))
FROM e, bits WHERE metric IN ('wdl50', 'dtz50');
SELECT '';
SELECT '| ending | WDL | WDL50 | DTZ50 | DTM | DTZ50 by WDL50 | DTM by DTZ50 |';
SELECT '|---|---:|---:|---:|---:|---:|---:|';
SELECT printf ('| %s | %,d | %,d | %,d | %,d | %.1f | %.1f |', ending, w.least, f.least, z.least, m.least, 1.0 * z.least / f.least, 1.0 * m.least / z.least)
FROM e w JOIN e f USING (ending) JOIN e z USING (ending) JOIN e m USING (ending)
WHERE w.metric = 'wdl' AND f.metric = 'wdl50' AND z.metric = 'dtz50' AND m.metric = 'dtm' AND z.least >= 1000 ORDER BY ending;
