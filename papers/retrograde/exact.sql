-- Bytes and CPU time of exact tables beside the estimate, and a straight line through the logarithms of what a slot takes, by men, carried on to
-- more men, beside what the estimate says of all endings with so many.
CREATE TEMP VIEW e AS SELECT ending, men + 0 AS men, slots * 1.0 AS slots, states * 1.0 AS states, bytes * 1.0 AS bytes, predicted_bytes * 1.0 AS predicted,
  nullif (cpu_s, '') * 1.0 AS cpu, predicted_cpu_s * 1.0 AS predicted_cpu FROM "retrograde/exact";
-- tables of some size alone: below, headers and rounded seconds decide
CREATE TEMP VIEW b AS SELECT men, count (*) AS n, sum (bytes) AS bytes, sum (predicted) AS predicted, sum (slots) AS slots,
  exp (sqrt (avg (ln (predicted / bytes) * ln (predicted / bytes)))) AS off, min (predicted / bytes) AS least, max (predicted / bytes) AS most
  FROM e WHERE bytes > 1000 GROUP BY men;
CREATE TEMP VIEW c AS SELECT men, count (*) AS n, sum (cpu) AS cpu, sum (predicted_cpu) AS predicted, sum (slots) AS slots,
  exp (sqrt (avg (ln (predicted_cpu / cpu) * ln (predicted_cpu / cpu)))) AS off, min (predicted_cpu / cpu) AS least, max (predicted_cpu / cpu) AS most
  FROM e WHERE cpu >= 0.05 GROUP BY men;
SELECT '| men | tables | bytes | pred. / real | off by a factor | least | most | timed | CPU s | pred. / real | off by a factor | least | most |';
SELECT '|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|';
SELECT printf ('| %d | %d | %,d | %.2f | %.2f | %.2f | %.2f | %d | %s |', b.men, b.n, b.bytes, b.predicted / b.bytes, b.off, b.least, b.most, ifnull (c.n, 0),
  iif (c.n IS NULL, '- | - | - | - | -', printf ('%.1f | %.2f | %.2f | %.2f | %.2f', c.cpu, c.predicted / c.cpu, c.off, c.least, c.most)))
  FROM b LEFT JOIN c USING (men) ORDER BY b.men;
SELECT '';
-- y = a + k men of ln (bytes a slot), ln (CPU seconds a slot), each man's sums as one point
CREATE TEMP VIEW a AS SELECT men, sum (bytes) AS bytes, sum (slots) AS slots FROM e GROUP BY men;
CREATE TEMP VIEW p AS SELECT 'bytes' AS what, men, ln (bytes / slots) AS y FROM a UNION ALL SELECT 'cpu', men, ln (cpu / slots) FROM c;
CREATE TEMP VIEW f AS SELECT what, (count (*) * sum (men * y) - sum (men) * sum (y)) / (count (*) * sum (men * men) - sum (men) * sum (men)) AS k,
  avg (y) AS y, avg (men) AS men FROM p GROUP BY what;
CREATE TEMP VIEW m AS SELECT men + 0 AS men, states * 1.0 AS slots, table_bytes * 1.0 AS bytes, cpu_s * 1.0 AS cpu FROM "retrograde/operations" WHERE ranks = 1;
SELECT '| men | slots | bytes a slot, measured | by the line | by the estimate | CPU ns a slot, measured | by the line | by the estimate |';
SELECT '|---:|---:|---:|---:|---:|---:|---:|---:|';
SELECT printf ('| %d | %.1e | %s | %.3f | %.3f | %s | %.0f | %.0f |', m.men, m.slots, ifnull ((SELECT printf ('%.3f', bytes / slots) FROM a WHERE a.men = m.men), '-'),
  (SELECT exp (y + k * (m.men - men)) FROM f WHERE what = 'bytes'), m.bytes / m.slots,
  ifnull ((SELECT printf ('%.0f', 1e9 * cpu / slots) FROM c WHERE c.men = m.men), '-'),
  (SELECT 1e9 * exp (y + k * (m.men - men)) FROM f WHERE what = 'cpu'), 1e9 * m.cpu / m.slots) FROM m ORDER BY m.men;
SELECT '';
SELECT printf ('The line would give all endings with 6 men %.2f TB and those with 7 men %.0f TB, the estimate %.2f TB and %.0f TB. Of the 110 tables with 5 men %d were there to be measured, %d of them with pawns: of such endings the line knows little, and the estimate is too high for the tables that there are.',
  (SELECT slots * exp (y + k * (6 - f.men)) / 1e12 FROM f, m WHERE what = 'bytes' AND m.men = 6), (SELECT slots * exp (y + k * (7 - f.men)) / 1e12 FROM f, m WHERE what = 'bytes' AND m.men = 7),
  (SELECT bytes / 1e12 FROM m WHERE men = 6), (SELECT bytes / 1e12 FROM m WHERE men = 7), (SELECT count (*) FROM e WHERE men = 5), (SELECT count (*) FROM e WHERE men = 5 AND ending LIKE '%P%'));
