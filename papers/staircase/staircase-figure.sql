-- The staircase of a :metric as it is drawn, a line each step: its name (:named: yes, or no; own: yes, and no step of the other metric alone), then
-- bytes as multiples of those of the first step over the endings: geometric mean; tenth, quarter, three quarters, nine tenths. "?": the metric
-- has no such step.
WITH stair AS (SELECT "group" + 0 AS step, replace (substr ("group", instr ("group", '-') + 1), '-' || metric, '') AS name, metric, "table" AS ending,
    sum (bytes) AS bytes FROM "staircase/staircase" WHERE "group" GLOB '[0-9]*-*' GROUP BY "group", metric, ending),
  name AS (SELECT DISTINCT step, name FROM stair), -- of both metrics, so that both panels have the same rows
  share AS (SELECT s.step AS step, 1.0 * s.bytes / f.bytes AS v FROM stair s JOIN stair f USING (ending, metric)
    WHERE metric = :metric AND f.step = (SELECT min (step) FROM name) AND f.bytes > 0),
  ranked AS (SELECT *, row_number () OVER (PARTITION BY step ORDER BY v) - 1 AS rank, count (*) OVER (PARTITION BY step) - 1 AS last FROM share),
  drawn AS (SELECT step, exp (avg (ln (v))) AS mean, sum (v * max (0, 1 - abs (rank - 0.1 * last))) AS tenth, -- between the two values beside it
    sum (v * max (0, 1 - abs (rank - 0.25 * last))) AS low, sum (v * max (0, 1 - abs (rank - 0.75 * last))) AS high,
    sum (v * max (0, 1 - abs (rank - 0.9 * last))) AS most FROM ranked GROUP BY step)
SELECT printf ('"%s" ', iif (:named <> 'no', step || ' ' || name, '')) || iif (mean IS NULL, '? ? ? ? ?', printf ('%.8f %.8f %.8f %.8f %.8f', mean, tenth, low, high, most))
FROM name LEFT JOIN drawn USING (step) WHERE mean IS NOT NULL OR :named <> 'own' ORDER BY step;
