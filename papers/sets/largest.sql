-- The largest files, which a search or another codec would make smaller first, and the ratio to Syzygy's where it is known.
SELECT '| ending | bytes | Syzygy | share |';
SELECT '|---|---:|---:|---:|';
SELECT printf ('| %s | %,d | %s | %s |', material, bytes, iif (s.wdl, printf ('%,d', s.wdl), ''), iif (s.wdl, printf ('%.2f', 1.0 * bytes / s.wdl), ''))
  FROM "sets/wdl-3-5" w LEFT JOIN "sets/syzygy" s ON s.ending = w.material ORDER BY bytes + 0 DESC LIMIT 12;
SELECT printf ('| the largest share of a known file: %s | %,d | %,d | %.2f |', material, bytes, s.wdl, 1.0 * bytes / s.wdl)
  FROM "sets/wdl-3-5" w JOIN "sets/syzygy" s ON s.ending = w.material WHERE s.wdl + 0 > 1000 ORDER BY 1.0 * bytes / s.wdl DESC LIMIT 1;
