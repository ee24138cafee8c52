-- DTM with 5 men beside Kristensen and Nalimov; WDL beside Syzygy and RE-PAIR.
SELECT '| DTM | White + Black to move | file | Kristensen | share | Nalimov |';
SELECT '|---|---:|---:|---:|---:|---:|';
SELECT printf ('| %s | %,d + %,d | %,d | %,d | %.2f | %,d |', f.ending, white_bytes, black_bytes, bytes, k.dtm, 1.0 * bytes / k.dtm, k.nalimov_dtm)
FROM "obdd/five" f JOIN "obdd/kristensen" k ON k.ending = f.ending WHERE metric = 'dtm';
SELECT '';
CREATE TEMP VIEW w AS SELECT a.ending, c.freedom AS freedom, c.white_bytes AS white, c.black_bytes AS black,
  c.bytes + 0 AS bytes, a.bytes + 0 AS without, a.syzygy_bytes + 0 AS syzygy
  FROM "obdd/five" a JOIN "obdd/five" c ON c.metric = 'wdl' AND c.ending = a.ending AND c.freedom LIKE 'all+check%'
  WHERE a.metric = 'wdl' AND a.freedom = 'all';
SELECT '| WDL | free | White + Black to move | file | checks not free | Syzygy | share | RE-PAIR, layouts searched |';
SELECT '|---|---|---:|---:|---:|---:|---:|---:|';
SELECT printf ('| %s | `%s` | %,d + %,d | %,d | %,d | %,d | %.2f | %s |', w.ending, freedom, white, black, w.bytes, without, syzygy, 1.0 * w.bytes / syzygy,
  CASE WHEN r.bytes IS NULL THEN '' ELSE printf ('%,d', r.bytes) END)
FROM w LEFT JOIN "repair/wdl-5" r ON r.material = w.ending ORDER BY w.bytes;
SELECT printf ('| together | | | %,d | %,d | %,d | %.2f | |', SUM (bytes), SUM (without), SUM (syzygy), 1.0 * SUM (bytes) / SUM (syzygy)) FROM w;
