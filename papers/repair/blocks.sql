-- What the sizes of blocks cost LZMA (DTM, no freedom, all endings with 4 men).
CREATE TEMP VIEW h AS SELECT block + 0 AS block, sum (bytes) AS bytes, sum (iif ("table" = 'KRvKP', bytes, 0)) AS one, count (*) AS n FROM "repair/history"
GROUP BY 1 HAVING count (*) > 1;
CREATE TEMP VIEW s AS SELECT block, bytes, 100.0 * bytes / lag (bytes) OVER (ORDER BY block DESC) - 100 AS more FROM h;
SELECT printf ('* **What Zakharov et al. tell of 7 men holds with 4 down to 4 kB**: %.1f %% from 2 MB to 16 kB (45 %%), %.1f %% for the first halving (a few per cent), %.1f to %.1f %% for each halving from 64 to 4 kB (up to 10 %%).',
  100.0 * (SELECT bytes FROM h WHERE block = 16384) / (SELECT bytes FROM h WHERE block = 2097152) - 100, (SELECT more FROM s WHERE block = 1048576),
  (SELECT min (more) FROM s WHERE block BETWEEN 4096 AND 32768), (SELECT max (more) FROM s WHERE block BETWEEN 4096 AND 32768));
SELECT printf ('* **Below 4 kB nothing collapses.** Zakharov et al. say that LZMA cannot be used there. From 4 to 1 kB, two halvings, the files grow by %.1f %%, which is %.1f %% a halving, hardly more than the %.1f %% before; KRvKP grows by %.1f %% from 4 to 2 kB and by %.1f %% from 2 to 1 kB.',
  100.0 * (SELECT bytes FROM h WHERE block = 1024) / (SELECT bytes FROM h WHERE block = 4096) - 100,
  100 * sqrt (1.0 * (SELECT bytes FROM h WHERE block = 1024) / (SELECT bytes FROM h WHERE block = 4096)) - 100,
  (SELECT more FROM s WHERE block = 4096),
  100.0 * (SELECT bytes FROM "repair/history" WHERE "table" = 'KRvKP' AND block = 2048) / (SELECT bytes FROM "repair/history" WHERE "table" = 'KRvKP' AND block = 4096) - 100,
  100.0 * (SELECT bytes FROM "repair/history" WHERE "table" = 'KRvKP' AND block = 1024) / (SELECT bytes FROM "repair/history" WHERE "table" = 'KRvKP' AND block = 2048) - 100);
