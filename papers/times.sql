-- papers/times.csv as a table.
SELECT '| table | codec | bytes | a probe: median | 99 % | the table alone: median |';
SELECT '|---|---|---:|---:|---:|---:|';
SELECT printf ('| %s %s | `%s` `%s` | %,d | %,d ns | %,d ns | %,d ns |', ending, upper (metric), codec, settings, bytes, median_ns, p99_ns, slot_median_ns) FROM times WHERE what = 'probe';
SELECT '';
SELECT printf ('Generating all 35 endings (DTM, one thread, coding and reading back included): %.1f CPU-seconds, %,d bytes.', slot_median_ns, bytes) FROM times WHERE what LIKE 'generating%';
