-- Bytes of the search within a budget, and of the full search, whose CPU time it has a tenth of; with 5 men of the default.
-- Those with 4 men together first.
SELECT '| metric | endings | full search, bytes | CPU s | within the budget, bytes | CPU s | share | within 3 % | the furthest off |';
SELECT '|---|---:|---:|---:|---:|---:|---:|---:|---|';
SELECT printf ('| %s | %d | %,d | %,.0f | %,d | %,.0f | %.2f | %d | %s |', upper (f.metric), count (*), sum (f.bytes), sum (f.cpu_s), sum (b.bytes),
    sum (b.cpu_s), 1.0 * sum (b.bytes) / sum (f.bytes), sum (1.0 * b.bytes / f.bytes <= 1.03),
    (SELECT printf ('%s, %.2f', x.ending, 1.0 * y.bytes / x.bytes) FROM "budget/budget" x JOIN "budget/budget" y USING (ending, metric)
      WHERE x.metric = f.metric AND x.search = 'full' AND y.search = 'budget' ORDER BY 1.0 * y.bytes / x.bytes DESC LIMIT 1))
  FROM "budget/budget" f JOIN "budget/budget" b ON b.ending = f.ending AND b.metric = f.metric AND b.search = 'budget'
  WHERE f.search = 'full' GROUP BY f.metric ORDER BY f.metric DESC;
SELECT '';
SELECT '| ending | metric | full search or default, bytes | CPU s | within the budget, bytes | CPU s | share |';
SELECT '|---|---|---:|---:|---:|---:|---:|';
SELECT printf ('| %s | %s | %s%,d | %.0f | %,d | %.0f | %.2f |', f.ending, upper (f.metric), iif (f.search = 'default', 'default ', ''), f.bytes, f.cpu_s,
    b.bytes, b.cpu_s, 1.0 * b.bytes / f.bytes)
  FROM "budget/budget" f JOIN "budget/budget" b ON b.ending = f.ending AND b.metric = f.metric AND b.search = 'budget'
  WHERE f.search IN ('full', 'default') ORDER BY f.search DESC, f.cpu_s + 0 DESC;
SELECT '';
SELECT printf ('The full search before, which coded forests in the layouts of the codec that ranks these, found %,d bytes of WDL in %,.0f CPU s and %,d of DTM in %,.0f.',
    sum (bytes) FILTER (WHERE metric = 'wdl'), sum (cpu_s) FILTER (WHERE metric = 'wdl'), sum (bytes) FILTER (WHERE metric = 'dtm'), sum (cpu_s) FILTER (WHERE metric = 'dtm'))
  FROM "budget/budget" WHERE search = 'before';
