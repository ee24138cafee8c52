-- What a probe takes by libsubdef-probe, by the others as shares of it, and by it as a share of the older one: least times of all processes.
CREATE TEMP VIEW l AS SELECT ending, tables, way, min (CAST (ns AS REAL)) AS ns, min (rowid) AS at FROM "probes/copied" GROUP BY ending, tables, way;
CREATE TEMP VIEW s AS SELECT p.ending, p.tables, p.ns, f.ns / p.ns AS full, c.ns / p.ns AS copied, p.ns / b.ns AS now, p.at
  FROM l p JOIN l f USING (ending, tables) JOIN l c USING (ending, tables) LEFT JOIN l b ON b.ending = p.ending AND b.tables = p.tables AND b.way = 'before'
  WHERE p.way = 'libsubdef-probe' AND f.way = 'libsubdef' AND c.way = 'copied';
SELECT '| ending | tables | `libsubdef-probe`, ns | `libsubdef` | the two files | beside the older one |';
SELECT '|---|---|---:|---:|---:|---:|';
SELECT printf ('| %s | %s | %,d | %.3f | %.3f | %.3f |', ending, tables, round (ns), full, copied, now) FROM s ORDER BY at;
SELECT '';
SELECT printf ('%,d positions of each ending, up to %d passes in each of %d processes.', max (positions + 0), max (passes + 0), count (DISTINCT process))
  || (SELECT printf (' Geometric means: `libsubdef` takes %.3f of the time of `libsubdef-probe`, the two files %.3f; in single rows %.3f to %.3f and %.3f to %.3f. `libsubdef-probe` takes %.3f of the time of the older one, in single rows %.3f to %.3f.',
    exp (avg (ln (full))), exp (avg (ln (copied))), min (full), max (full), min (copied), max (copied), exp (avg (ln (now))), min (now), max (now)) FROM s) FROM "probes/copied";
