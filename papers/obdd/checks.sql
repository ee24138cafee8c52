-- Bytes with and without positions in check as a source of freedom.
CREATE TEMP VIEW c AS SELECT metric, codec, ending, all_bytes + 0 AS a, check_bytes + 0 AS b, part FROM "obdd/checks";
SELECT '| metric | codec | endings | `all` | `all+check` | share | larger with it |';
SELECT '|---|---|---|---:|---:|---:|---:|';
SELECT printf ('| %s | %s | %s | %,d | %,d | %.3f | %d |', upper (metric), codec,
  iif (count (*) > 9, count (*) || ' with 3 and 4 men', group_concat (ending, ', ')), sum (a), sum (b), 1.0 * sum (b) / sum (a), sum (b > a))
FROM c GROUP BY metric = 'dtm', codec = 'forest', codec;
SELECT '';
SELECT printf ('Of the diagrams of WDL with 3 and 4 men %d become smaller by a fifth and more, KQvKR by %.0f %%, KRvKP by %.0f %%; the most that one grows is %d bytes (%s). ',
  sum (b < 0.8 * a), (SELECT 100 - 100.0 * b / a FROM c WHERE ending = 'KQvKR' AND part = 'wdl' AND codec = 'obdd'),
  (SELECT 100 - 100.0 * b / a FROM c WHERE ending = 'KRvKP' AND part = 'wdl' AND codec = 'obdd'), max (b - a),
  (SELECT ending FROM c WHERE part = 'wdl' AND codec = 'obdd' ORDER BY b - a DESC LIMIT 1))
  || 'RE-PAIR gains less, and so do forests of WDL: they look at neighbours, and a free one tells them little.'
FROM c WHERE part = 'wdl' AND codec = 'obdd';
SELECT '';
SELECT '| ending | file, `all` | `all+check` | median, ns | 99 % | mean | of the positions by a ply |';
SELECT '|---|---:|---:|---:|---:|---:|---:|';
CREATE TEMP VIEW p AS SELECT a.ending, a.file_bytes + 0 AS ab, c.file_bytes + 0 AS cb, a.median_ns + 0 AS am, c.median_ns + 0 AS cm, a.p99_ns + 0 AS a9, c.p99_ns + 0 AS c9,
  a.mean_ns + 0.0 AS av, c.mean_ns + 0.0 AS cv, 100.0 * c.by_moves / c.positions AS moves
  FROM "obdd/checks-probes" a JOIN "obdd/checks-probes" c USING (ending) WHERE a.freedom = 'all' AND c.freedom = 'all+check';
SELECT printf ('| %s | %,d | %,d | %d -> %d | %d -> %d | %.0f -> %.0f | %.0f %% |', ending, ab, cb, am, cm, a9, c9, av, cv, moves) FROM p;
SELECT '';
SELECT printf ('Of %,d random positions each; the mean of a probe takes %.2f to %.2f times as long, and 99 %% of the probes end within %.1f us.', (SELECT max (positions + 0) FROM "obdd/checks-probes"), min (cv / av), max (cv / av), max (c9) / 1000.0) FROM p;
