-- What a probe takes by libsubdef-probe, the least of all processes; and the others as shares of it, and it as a share of the older one:
-- medians over the processes, in each of which the ways take turns.
CREATE TEMP VIEW l AS SELECT ending, tables, process, way, CAST (ns AS REAL) AS ns, rowid AS at FROM "probes/copied";
CREATE TEMP VIEW ratios AS
  SELECT p.ending, p.tables, p.at, 'full' AS of, f.ns / p.ns AS ratio FROM l p JOIN l f USING (ending, tables, process) WHERE p.way = 'libsubdef-probe' AND f.way = 'libsubdef'
  UNION ALL SELECT p.ending, p.tables, p.at, 'copied', c.ns / p.ns FROM l p JOIN l c USING (ending, tables, process) WHERE p.way = 'libsubdef-probe' AND c.way = 'copied'
  UNION ALL SELECT p.ending, p.tables, p.at, 'now', p.ns / b.ns FROM l p JOIN l b USING (ending, tables, process) WHERE p.way = 'libsubdef-probe' AND b.way = 'before';
CREATE TEMP TABLE ranked AS SELECT *, row_number () OVER (PARTITION BY ending, tables, of ORDER BY ratio) AS r, count (*) OVER (PARTITION BY ending, tables, of) AS n FROM ratios;
CREATE TEMP TABLE s AS SELECT ending, tables, (SELECT min (at) FROM l WHERE l.ending = ranked.ending AND l.tables = ranked.tables) AS at, avg (iif (of = 'full', ratio, NULL)) AS full, avg (iif (of = 'copied', ratio, NULL)) AS copied, avg (iif (of = 'now', ratio, NULL)) AS now,
    (SELECT min (ns) FROM l WHERE l.ending = ranked.ending AND l.tables = ranked.tables AND way = 'libsubdef-probe') AS ns
  FROM ranked WHERE 2 * r BETWEEN n AND n + 2 GROUP BY ending, tables;
SELECT '| ending | tables | `libsubdef-probe`, ns | `libsubdef` | the two files | beside the older one |';
SELECT '|---|---|---:|---:|---:|---:|';
SELECT printf ('| %s | %s | %,d | %.3f | %.3f | %s |', ending, tables, round (ns), full, copied, iif (now IS NULL, '', printf ('%.3f', now))) FROM s ORDER BY at;
SELECT '';
SELECT printf ('%,d positions of each ending, up to %d passes in each of %d processes.', max (positions + 0), max (passes + 0), count (DISTINCT process))
  || (SELECT printf (' Geometric means: `libsubdef` takes %.3f of the time of `libsubdef-probe`, the two files %.3f; in single rows %.3f to %.3f and %.3f to %.3f. ',
    exp (avg (ln (full))), exp (avg (ln (copied))), min (full), max (full), min (copied), max (copied)) FROM s)
  || ifnull ((SELECT printf ('`libsubdef-probe` takes %.3f of the time of the older one, in single rows %.3f to %.3f; by RE-PAIR %.3f, diagrams %.3f, trees %.3f.', 
      exp (avg (ln (now))), min (now), max (now), exp (avg (iif (tables = 'repair', ln (now), NULL))), exp (avg (iif (tables = 'obdd', ln (now), NULL))),
    exp (avg (iif (tables = 'trees', ln (now), NULL)))) FROM s WHERE now IS NOT NULL HAVING count (*)), '') FROM "probes/copied";
