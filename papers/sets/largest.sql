-- The largest files, which a search or another codec would make smaller first, and those of 500 bytes and more that gain least on Syzygy's.
CREATE TEMP TABLE both AS SELECT material, bytes + 0 AS bytes, s.wdl + 0 AS public
  FROM "sets/wdl-3-5" w JOIN "sets/syzygy" s ON s.ending = w.material;
SELECT '| ending | bytes | Syzygy | share |';
SELECT '|---|---:|---:|---:|';
SELECT printf ('| %s | %,d | %,d | %.2f |', material, bytes, public, 1.0 * bytes / public) FROM both ORDER BY bytes DESC LIMIT 12;
SELECT '| the largest shares: |  |  |  |';
SELECT printf ('| %s | %,d | %,d | %.2f |', material, bytes, public, 1.0 * bytes / public)
  FROM both WHERE bytes >= 500 ORDER BY 1.0 * bytes / public DESC LIMIT 4;
