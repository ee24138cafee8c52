-- WDL with 5 men by forests, beside diagrams and Syzygy.
SELECT '| ending | settings of `forest` | White + Black to move | file | diagram | Syzygy | share |';
SELECT '|---|---|---:|---:|---:|---:|---:|';
SELECT printf ('| %s | `%s` | %,d + %,d | %,d | %,d | %,d | %.2f |', f.ending, f.settings, f.white_bytes, f.black_bytes, f.bytes, d.bytes,
  f.syzygy_bytes, 1.0 * f.bytes / f.syzygy_bytes)
FROM "trees/five" f JOIN "obdd/five" d ON d.ending = f.ending AND d.metric = 'wdl' AND d.freedom = 'all' ORDER BY f.rowid;
SELECT '';
SELECT printf ('The smallest of each, diagrams or forests, of these %d endings take %,d bytes together, where diagrams take %,d.', count (*),
  sum (min (f, d)), sum (d))
FROM (SELECT min (1 * f.bytes) AS f, 1 * d.bytes AS d FROM "trees/five" f JOIN "obdd/five" d ON d.ending = f.ending AND d.metric = 'wdl' AND d.freedom = 'all'
  GROUP BY f.ending);
