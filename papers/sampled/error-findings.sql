-- What the rows say together, and the share of algorithm 2 of what nothing bound takes.
CREATE TEMP VIEW e AS SELECT way, part, "table" AS t, side, iif (length ("table") = 6, 5, 4) AS men, bytes + 0.0 AS bytes, estimate + 0.0 AS estimate,
    abs (estimate + 0.0 - bytes) / bytes AS off, bytes + 0 BETWEEN low + 0 AND high + 0 AS within FROM "sampled/error" WHERE bytes + 0 >= 1000;
SELECT printf ('* Bounds hold %d of %d true values: %s.', sum (within), count (*), (SELECT group_concat (printf ('%.2f of those of `%s`', share, part), ', ')
    FROM (SELECT part, avg (within) AS share FROM e GROUP BY part ORDER BY CAST (substr (part, 3) AS INTEGER)))) FROM e;
SELECT printf ('* `huffman` takes %d of %d streams of which each part is constant and the whole is not (%s, %s bytes each): of these an estimate says nothing.',
    count (DISTINCT t || side), (SELECT count (DISTINCT t || side) FROM e WHERE way = 'huffman'), group_concat (DISTINCT t), printf ('%,d', max (bytes)))
  FROM e WHERE way = 'huffman' AND off > 0.9;
WITH both AS (SELECT a.part, a.men, abs ((a.estimate / w.estimate) / (a.bytes / w.bytes) - 1) AS off FROM e a JOIN e w ON w.way = 'repair full' AND a.way = 'repair alg2+full'
    AND w.t = a.t AND w.side = a.side AND w.part = a.part WHERE abs (a.bytes / w.bytes - 1) > 0.01),
  k AS (SELECT *, row_number () OVER (PARTITION BY part ORDER BY off) AS k, count (*) OVER (PARTITION BY part) AS n FROM both)
SELECT '* The bytes of algorithm 2 divided by those without a bound, of the ' || max (n) || ' streams in which they differ by more than 1 %: the error of this ratio is '
  || group_concat (said, ', ') || '.' FROM (SELECT printf ('%.1f %% with `%s` (median; the largest %.0f %%)', 100 * avg (off) FILTER (WHERE k IN ((n + 1) / 2, n / 2 + 1)), part, 100 * max (off)) AS said, max (n) AS n
    FROM k GROUP BY part ORDER BY CAST (substr (part, 3) AS INTEGER));
