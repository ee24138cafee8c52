-- What a probe takes in the largest files of the set, in nanoseconds.
CREATE TEMP TABLE l AS SELECT ending, bytes + 0 AS bytes, median_ns + 0 AS median, p90_ns + 0 AS p90, p99_ns + 0 AS p99, mean_ns + 0 AS mean FROM "sets/latency";
SELECT '| ending | bytes | median | 90 % | 99 % | mean |';
SELECT '|---|---:|---:|---:|---:|---:|';
SELECT printf ('| %s | %,d | %d | %d | %,d | %d |', ending, bytes, median, p90, p99, mean) FROM l ORDER BY bytes DESC;
SELECT printf ('| all %d: the slowest | %,d | %d | %d | %,d | %d |', count (*), sum (bytes), max (median), max (p90), max (p99), max (mean)) FROM l;
SELECT printf ('| 99 %% within two microseconds | | | | %d of %d | |', sum (p99 < 2000), count (*)) FROM l;
