-- figure: steps
-- name: staircase
-- title: {title}: what each step takes off, {tables} tables
-- x: per cent | bytes, per cent of those of the first step
-- y: | step
-- legend: least to most | middle half | geometric mean, 95 %
-- caption: {title}: staircase of gains, bytes of each step in per cent of those of the first step: geometric mean over the tables with its bounds
--   (95 %), quartiles, least and most.

SELECT metric AS figure, metric_title (metric) AS title, tables, step || ' ' || what AS label, 100 * by_first AS x, 100 * ifnull (low, by_first) AS low,
  100 * ifnull (high, by_first) AS high, 100 * least AS least, 100 * q25 AS q25, 100 * q50 AS q50, 100 * q75 AS q75, 100 * most AS most
FROM stair WHERE steps > 1 ORDER BY min (first_subject) OVER (PARTITION BY metric), step
