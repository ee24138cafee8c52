-- DTM with 5 men beside Kristensen and Nalimov; WDL beside Syzygy and RE-PAIR.
SELECT '| DTM | White + Black to move | file | Kristensen | share | Nalimov |';
SELECT '|---|---:|---:|---:|---:|---:|';
SELECT printf ('| %s | %,d + %,d | %,d | %,d | %.2f | %,d |', f.ending, white_bytes, black_bytes, bytes, k.dtm, 1.0 * bytes / k.dtm, k.nalimov_dtm)
FROM "obdd/five" f JOIN "obdd/kristensen" k ON k.ending = f.ending WHERE metric = 'dtm';
SELECT '';
SELECT '| WDL | White + Black to move | file | Syzygy | share | RE-PAIR, layouts searched |';
SELECT '|---|---:|---:|---:|---:|---:|';
SELECT printf ('| %s | %,d + %,d | %,d | %,d | %.2f | %s |', f.ending, white_bytes, black_bytes, f.bytes, f.syzygy_bytes, 1.0 * f.bytes / f.syzygy_bytes,
  CASE WHEN r.bytes IS NULL THEN '' ELSE printf ('%,d', r.bytes) END)
FROM "obdd/five" f LEFT JOIN "repair/wdl-5" r ON r.material = f.ending WHERE metric = 'wdl' ORDER BY CAST (f.bytes AS INT);
SELECT printf ('| together | | %,d | %,d | %.2f | |', SUM (bytes), SUM (syzygy_bytes), 1.0 * SUM (bytes) / SUM (syzygy_bytes))
FROM "obdd/five" WHERE metric = 'wdl';
