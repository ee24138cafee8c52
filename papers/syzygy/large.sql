-- Ways to code large streams, a table for each question.
CREATE TEMP VIEW l AS SELECT stream, part, way, printf ('%,d', bytes) AS bytes, cpu_s FROM "syzygy/large";
SELECT '| ' || CASE part WHEN 'dictionary' THEN 'where the dictionary comes from' WHEN 'lead' THEN 'a lead' ELSE 'more effort' END || ' | stream | bytes | CPU-s |'
  || char (10) || '|---|---|---:|---:|' || char (10)
  || group_concat (printf ('| %s | %s | %s | %s |', way, stream, bytes, cpu_s), char (10)) || char (10)
FROM l GROUP BY part ORDER BY part = 'high', part = 'lead';
