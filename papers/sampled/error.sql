-- How far estimates are from what whole streams take, by codec, men and part; streams below 1,000 bytes are left out.
CREATE TEMP VIEW e AS SELECT "table" AS t, way, part, iif (length ("table") = 6, 5, 4) AS men, bytes + 0.0 AS bytes, estimate + 0.0 AS estimate,
    abs (estimate + 0.0 - bytes) / bytes AS off, bytes + 0 BETWEEN low + 0 AND high + 0 AS within, low + 0.0 AS low, high + 0.0 AS high, part_slots + 0 AS part_slots
  FROM "sampled/error" WHERE bytes + 0 >= 1000;
CREATE TEMP VIEW r AS SELECT *, row_number () OVER (PARTITION BY way, men, part ORDER BY off) AS k, count (*) OVER (PARTITION BY way, men, part) AS n FROM e;
CREATE TEMP VIEW s AS SELECT way, men, part, n, avg (off) FILTER (WHERE k IN ((n + 1) / 2, n / 2 + 1)) AS median, max (off) AS most,
    sum (within) AS within, sum (estimate) / sum (bytes) AS total FROM r GROUP BY way, men, part;
SELECT '| codec | men | streams | ' || group_concat ('`' || part || '`', ' | ') || ' |' FROM (SELECT '1/4' AS part UNION ALL SELECT '1/16' UNION ALL SELECT '1/64');
SELECT '|---|---|---:|---:|---:|---:|';
SELECT printf ('| `%s` | %s | %d | %s |', way, iif (men = 4, '3, 4', '5'), max (n),
    group_concat (printf ('%.1f %%; %.0f %%; %d; %.3f', 100 * median, 100 * most, within, total), ' | '))
  FROM (SELECT * FROM s ORDER BY men, way, CAST (substr (part, 3) AS INTEGER)) GROUP BY men, way ORDER BY men, way;
