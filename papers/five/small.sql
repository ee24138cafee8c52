-- Files that are quicker to read than the smallest.
SELECT '| ending | codec and settings | free | bytes | a probe: median, us | 90 % | mean | in the table alone, median |';
SELECT '|---|---|---|---:|---:|---:|---:|---:|';
SELECT printf ('| %s | `%s` | `%s` | %,d | %.1f | %.1f | %.1f | %.1f |', ending, settings, freedom, bytes, median_ns / 1e3, p90_ns / 1e3, mean_ns / 1e3, alone_ns / 1e3) FROM "five/small";
