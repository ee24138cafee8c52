-- Whole probes against the size of an LZMA block: a straight line by least squares of relative residuals over the blocks of
-- 16 to 128 kB that are smaller than the table, and what each halving does.
CREATE TEMP VIEW a AS SELECT rowid AS place, "table" AS ending, codec, block + 0 AS block, slots + 0 AS slots, probe_ns + 0.0 AS ns FROM "repair/access";
CREATE TEMP VIEW long AS SELECT ending, block, ns, 1 / (ns * ns) AS w FROM a WHERE codec = 'lzma' AND block BETWEEN 16384 AND 131072 AND block < slots;
CREATE TEMP VIEW slope AS SELECT ending, (sum (w) * sum (block / ns) - sum (w * block) * sum (1 / ns)) * 1.0
  / (sum (w) * sum (w * block * block) - sum (w * block) * sum (w * block)) AS slope, sum (w) AS w, sum (w * block) AS wx, sum (1 / ns) AS wy
FROM long GROUP BY ending HAVING count (*) > 2;
CREATE TEMP VIEW line AS SELECT ending, slope, (wy - slope * wx) / w AS base FROM slope;
CREATE TEMP VIEW residual AS SELECT ending, max (abs (ns / (base + slope * block) - 1)), ns / (base + slope * block) - 1 AS off, block / 1024 AS kb
FROM long JOIN line USING (ending) GROUP BY ending;
SELECT '| ending | slots | line over blocks of 16 to 128 kB, us | largest residual | 1 kB by the line | 1 kB, measured | RE-PAIR, 128 and 1024 bytes |';
SELECT '|---|---:|---|---|---:|---:|---:|';
SELECT printf ('| %s | %,d | ', ending, a.slots)
  || iif (slope IS NULL, 'too few blocks | |', printf ('%.1f + %.2f a kB | %+.0f %% (%d kB) | %.1f', base / 1e3, slope * 1.024, 100 * off, kb, (base + slope * 1024) / 1e3))
  || printf (' | %.1f | %.2f, %.2f |', a.ns / 1e3, small.ns / 1e3, large.ns / 1e3)
FROM a JOIN a small USING (ending) JOIN a large USING (ending) LEFT JOIN line USING (ending) LEFT JOIN residual USING (ending)
WHERE a.codec = 'lzma' AND a.block = 1024 AND small.codec = 'repair' AND small.block = 128 AND large.codec = 'repair' AND large.block = 1024 ORDER BY a.place;
SELECT '';
CREATE TEMP VIEW halving AS SELECT h.block AS block, exp (avg (ln (h.ns / l.ns))) AS times FROM a h JOIN a l ON l.ending = h.ending AND l.codec = h.codec AND l.block = 2 * h.block
WHERE h.codec = 'lzma' AND l.block < l.slots AND h.block BETWEEN 1024 AND 131072 GROUP BY h.block ORDER BY h.block DESC;
SELECT '| time after halving to |' || group_concat (printf (' %d kB |', block / 1024), '') FROM halving;
SELECT '|---|' || group_concat ('---:|', '') FROM halving;
SELECT '| times as long |' || group_concat (printf (' %.2f |', times), '') FROM halving;
