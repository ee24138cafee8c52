-- figure: steps
-- name: staircase
-- title: {title}: what each step takes off, {tables} tables
-- x: | bytes, times those of the first step
-- y: | step
-- legend: least to most | middle half | geometric mean, 95 %
-- caption: {title}: staircase of gains, bytes of each step as multiples of those of the first step: geometric mean over the tables with its bounds
--   (95 %), quartiles, least and most.

SELECT metric AS figure, metric_title (metric) AS title, tables, step || ' ' || what AS label, by_first AS x, ifnull (low, by_first) AS low, ifnull (high, by_first) AS high,
  least, q25, q50, q75, most
FROM stair WHERE steps > 1 ORDER BY min (first_subject) OVER (PARTITION BY metric), step
