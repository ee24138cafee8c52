-- Where the trained dictionary of zstd pays: the smaller of its two sizes against none, filled alike.
CREATE TEMP VIEW z AS SELECT "table" AS t, metric, block + 0 > 4096 AS large,
  min (iif (dict <> '0', bytes + 0, NULL)) AS trained, min (iif (dict = '0', bytes + 0, NULL)) AS plain
FROM "repair/codecs" WHERE codec = 'zstd' AND initial = 'frequent' GROUP BY 1, 2, 3;
SELECT printf ('* The trained dictionary of zstd is stored with every table. In small blocks it makes %d of %d tables smaller, by %.0f %% at most, in large blocks %s.',
  (SELECT count (*) FROM z WHERE NOT large AND trained < plain), (SELECT count (*) FROM z WHERE NOT large),
  (SELECT max (100.0 - 100.0 * trained / plain) FROM z WHERE NOT large),
  (SELECT iif (count (*), printf ('%d', count (*)), 'none') FROM z WHERE large AND trained < plain));
