-- DTM with 5 men beside Kristensen and Nalimov; WDL beside Syzygy and RE-PAIR.
SELECT '| DTM | White + Black to move | file | Kristensen | share | Nalimov |';
SELECT '|---|---:|---:|---:|---:|---:|';
SELECT printf ('| %s | %,d + %,d | %,d | %,d | %.2f | %,d |', f.ending, white_bytes, black_bytes, bytes, k.dtm, 1.0 * bytes / k.dtm, k.nalimov_dtm)
FROM "obdd/five" f JOIN "obdd/kristensen" k ON k.ending = f.ending WHERE metric = 'dtm';
SELECT '';
SELECT '| WDL | White + Black to move | file | Syzygy | share | RE-PAIR |';
SELECT '|---|---:|---:|---:|---:|---:|';
SELECT printf ('| %s | %,d + %,d | %,d | %,d | %.2f | %,d |', f.ending, white_bytes, black_bytes, f.bytes, r.syzygy_bytes, 1.0 * f.bytes / r.syzygy_bytes, r.bytes)
FROM "obdd/five" f JOIN "repair/wdl-5" r ON r.material = f.ending WHERE metric = 'wdl';
