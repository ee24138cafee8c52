-- Bytes with and without positions in check as a source of freedom.
CREATE TEMP VIEW c AS SELECT metric, codec, ending, all_bytes + 0 AS a, check_bytes + 0 AS b, nullif (evident_bytes, '') + 0 AS e, part FROM "obdd/checks";
SELECT '| metric | codec | endings | `all` | `all+check` | share | larger with it | `all+evident` | share | larger with it |';
SELECT '|---|---|---|---:|---:|---:|---:|---:|---:|---:|';
SELECT printf ('| %s | %s | %s | %,d | %,d | %.3f | %d |', upper (metric), codec,
  iif (count (*) > 9, count (*) || ' with 3 and 4 men', group_concat (ending, ', ')), sum (a), sum (b), 1.0 * sum (b) / sum (a), sum (b > a))
  || iif (sum (e), printf (' %,d | %.3f | %d |', sum (e), 1.0 * sum (e) / sum (a), sum (e > a)), ' | | |')
FROM c GROUP BY metric = 'dtm', codec = 'forest', codec;
SELECT '';
SELECT printf ('Of the diagrams of WDL with 3 and 4 men %d become smaller by a fifth and more where what is evident is free, KQvKR by %.0f %%, KRvKP by %.0f %%; the most that one grows is %d bytes (%s). ',
  sum (e < 0.8 * a), (SELECT 100 - 100.0 * e / a FROM c WHERE ending = 'KQvKR' AND part = 'wdl' AND codec = 'obdd'),
  (SELECT 100 - 100.0 * e / a FROM c WHERE ending = 'KRvKP' AND part = 'wdl' AND codec = 'obdd'), max (e - a),
  (SELECT ending FROM c WHERE part = 'wdl' AND codec = 'obdd' ORDER BY e - a DESC LIMIT 1))
  || 'RE-PAIR gains less, and so do forests of WDL: they look at neighbours, and a free one tells them little.'
FROM c WHERE part = 'wdl' AND codec = 'obdd';
SELECT '';
SELECT '| ending | file, `all` | `all+check` | `all+evident` | median, ns | 99 % | mean | of the positions by moves |';
SELECT '|---|---:|---:|---:|---:|---:|---:|---:|';
CREATE TEMP VIEW p AS SELECT a.ending, a.file_bytes + 0 AS ab, c.file_bytes + 0 AS cb, e.file_bytes + 0 AS eb, a.median_ns + 0 AS am, c.median_ns + 0 AS cm,
  e.median_ns + 0 AS em, a.p99_ns + 0 AS a9, c.p99_ns + 0 AS c9, e.p99_ns + 0 AS e9, a.mean_ns + 0.0 AS av, c.mean_ns + 0.0 AS cv, e.mean_ns + 0.0 AS ev,
  100.0 * c.by_moves / c.positions AS moves, 100.0 * e.by_moves / e.positions AS evident
  FROM "obdd/checks-probes" a JOIN "obdd/checks-probes" c USING (ending) JOIN "obdd/checks-probes" e USING (ending)
  WHERE a.freedom = 'all' AND c.freedom = 'all+check' AND e.freedom = 'all+evident';
SELECT printf ('| %s | %,d | %,d | %,d | %d, %d, %d | %d, %d, %d | %.0f, %.0f, %.0f | %.0f %%, %.0f %% |', ending, ab, cb, eb, am, cm, em, a9, c9, e9, av, cv, ev,
  moves, evident) FROM p;
SELECT '';
SELECT printf ('Of %,d random positions each; the mean of a probe takes %.2f to %.2f times as long with `check`, %.2f to %.2f with `evident`, and 99 %% of the probes end within %.1f us.',
  (SELECT max (positions + 0) FROM "obdd/checks-probes"), min (cv / av), max (cv / av), min (ev / av), max (ev / av), max (max (c9), max (e9)) / 1000.0) FROM p;
