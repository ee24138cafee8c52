-- Bytes of the search within a budget, and of the full search, whose CPU time it has a tenth of; with 5 men of the default.
SELECT '| ending | metric | full search or default, bytes | CPU s | within the budget, bytes | CPU s | share |';
SELECT '|---|---|---:|---:|---:|---:|---:|';
SELECT printf ('| %s | %s | %s%,d | %.0f | %,d | %.0f | %.2f |', f.ending, upper (f.metric), iif (f.search = 'default', 'default ', ''), f.bytes, f.cpu_s,
    b.bytes, b.cpu_s, 1.0 * b.bytes / f.bytes)
  FROM "budget/budget" f JOIN "budget/budget" b ON b.ending = f.ending AND b.metric = f.metric AND b.search = 'budget'
  WHERE f.search <> 'budget' ORDER BY f.search DESC, f.cpu_s + 0 DESC;
