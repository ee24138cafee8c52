-- Answers for each second of the server's CPU time, and of the clock: medians of three turns with their spread.
SELECT '| ending | codec | path | answers a CPU second | from | to | answers a second by the clock |';
SELECT '|---|---|---|---:|---:|---:|---:|';
WITH rate AS (SELECT *, answers / cpu_s AS cpu, answers / seconds AS clock,
                row_number () OVER (PARTITION BY ending, codec, path ORDER BY answers / cpu_s) AS place,
                row_number () OVER (PARTITION BY ending, codec, path ORDER BY answers / seconds) AS place_by_clock
                FROM "serve/serve")
SELECT printf ('| %s | %s | `%s` | %,d | %,d | %,d | %,d |', ending, codec, path, max (CASE place WHEN 2 THEN cpu END), min (cpu), max (cpu),
               max (CASE place_by_clock WHEN 2 THEN clock END))
  FROM rate GROUP BY ending, codec, path ORDER BY path DESC, ending, codec DESC;
