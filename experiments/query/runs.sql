-- The runs behind rows, and what should be known before rows are compared: asked of all_run and all_cell, which hold one store ('') or two
-- ('A', 'B'). A run's rows: how many, how many with a latency, those of them that were timed beside other work, those that were coded beside
-- it. Of rows that do not say what others did the load when the run began tells, which is not their own. Half a core is left to others: the
-- system counts time in steps that are long beside the timing of a cell.
CREATE TEMP TABLE made AS
  WITH one AS (SELECT c.store AS store, c.run AS run, ifnull (get_ns > 0 OR probe_ns > 0, 0) AS timed, busy_cores, coding_busy_cores,
      ifnull (iif (busy_cores IS NULL, load > cores, busy_cores > cores - 0.5), 0) AS busy,
      ifnull (coding_busy_cores > cores - min (jobs, cores) + 0.5, 0) AS coded
    FROM all_cell c JOIN all_run r ON r.store = c.store AND r.id = c.run),
  summed AS (SELECT store, run, count (*) AS rows, sum (timed) AS timed, sum (timed AND busy) AS disturbed,
      max (iif (timed AND busy, busy_cores, NULL)) AS busy, sum (coded) AS coded, max (coding_busy_cores) AS coding_busy FROM one GROUP BY store, run)
  SELECT s.*, r.id, started, title, version, "commit", compiler, flags, configure, cpu, cores, jobs, seed, host, kernel, memory_bytes, load,
    libraries, command, sweep_file, sweep_hash, sweep, tables
  FROM summed s JOIN all_run r ON r.store = s.store AND r.id = s.run ORDER BY s.store, r.id;

-- Sentences about rows that do not compare without a second look: of a store, or ('') of all.
CREATE TEMP TABLE warning AS
  WITH scope AS (SELECT DISTINCT store AS scope, store FROM made UNION SELECT DISTINCT '', store FROM made),
  of AS (SELECT s.scope, m.rowid AS place, "commit", m.* FROM scope s JOIN made m USING (store)),
  count AS (SELECT scope, count (DISTINCT nullif ("commit", '')) AS commits, count (DISTINCT nullif (cpu, '')) AS cpus, count (DISTINCT nullif (host, '')) AS hosts,
      count (DISTINCT nullif (compiler, '')) AS compilers, count (DISTINCT nullif (flags, '')) AS flags, count (DISTINCT nullif (version, '')) AS versions,
      count (DISTINCT nullif (libraries, '')) AS libraries FROM of GROUP BY scope),
  mixed AS (SELECT scope, ltrim (iif (commits > 1, ', ' || commits || ' commits', '') || iif (cpus > 1, ', ' || cpus || ' processors', '')
      || iif (hosts > 1, ', ' || hosts || ' hosts', '') || iif (compilers > 1, ', ' || compilers || ' compilers', '')
      || iif (flags > 1, ', ' || flags || ' sets of compiler flags', '') || iif (versions > 1, ', ' || versions || ' versions', '')
      || iif (libraries > 1, ', ' || libraries || ' sets of libraries', ''), ', ') AS text FROM count),
  vague AS (SELECT scope, count (*) AS runs, sum (inexact) AS inexact, at_most (iif (inexact, place, NULL), "commit") AS example
    FROM (SELECT *, "commit" IN ('', 'unknown') OR "commit" LIKE '%-dirty' AS inexact FROM of) GROUP BY scope)
  SELECT scope AS store, 0 AS place, 0 AS id,
    text || ': the rows were not all made by the same program on the same machine; times do not compare, sizes may not' AS text FROM mixed WHERE text <> ''
  UNION ALL SELECT scope, 1, 0, inexact || ' of ' || runs || ' runs name no exact commit (' || ifnull (nullif (substr (example, 1, 40), ''), 'none')
      || '): the same program may have made their rows, or not' FROM vague WHERE runs > 1 AND inexact
  UNION ALL SELECT store, 2, id, 'run ' || id || ': ' || disturbed || ' rows were timed while ' || iif (busy > 0, 'other programs used up to ', 'the load of the machine was ')
      || printf ('%.1f', iif (busy > 0, busy, load)) || iif (busy > 0, ' of ', ' with ') || cores || ' cores: these times may be too long' FROM made WHERE disturbed
  UNION ALL SELECT store, 3, id, 'run ' || id || ': ' || coded || ' rows were coded while other programs used up to ' || printf ('%.1f', coding_busy) || ' of ' || cores
      || ' cores: speeds of encoding and decoding are CPU times, but may be too low' FROM made WHERE coded
  ORDER BY 1, 3, 2;
