-- Files with captures alone among what is free, of the endings whose probes are the slowest, and the set with them.
CREATE TEMP TABLE e AS SELECT e.ending, e.bytes + 0 AS bytes, w.bytes + 0 AS listed, median_ns + 0 AS median, p90_ns + 0 AS p90, p99_ns + 0 AS p99, mean_ns + 0 AS mean,
  length (e.ending) = 6 AS five FROM "sets/engine" e JOIN "sets/wdl-3-5" w ON w.material = e.ending;
SELECT '| ending | bytes | of those listed | median | 90 % | 99 % | mean |';
SELECT '|---|---:|---:|---:|---:|---:|---:|';
SELECT printf ('| %s | %,d | %.2f | %d | %,d | %,d | %d |', ending, bytes, 1.0 * bytes / listed, median, p90, p99, mean) FROM e WHERE five ORDER BY bytes DESC;
SELECT printf ('| the %d with 3 and 4 men, the slowest | %,d | %.2f | %d | %,d | %,d | %d |', count (*), sum (bytes), 1.0 * sum (bytes) / sum (listed), max (median), max (p90),
  max (p99), max (mean)) FROM e WHERE NOT five;
SELECT '';
SELECT printf ('With these files, those of the table above that they do not replace, and the others of the list the set of %d endings takes **%,d** bytes. The slowest median of the %d endings with 5 men measured is %d ns, the slowest 99 %% %,d ns.',
  (SELECT count (*) FROM "sets/wdl-3-5"),
  (SELECT sum (coalesce (e.bytes, l.bytes + 0, w.bytes + 0)) FROM "sets/wdl-3-5" w LEFT JOIN e ON e.ending = w.material LEFT JOIN "sets/latency" l ON l.ending = w.material),
  count (*), max (median), max (p99)) FROM (SELECT ending, median, p99 FROM e WHERE five
  UNION SELECT ending, median_ns + 0, p99_ns + 0 FROM "sets/latency" WHERE ending NOT IN (SELECT ending FROM e));
