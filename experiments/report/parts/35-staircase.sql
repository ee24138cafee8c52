-- title: Staircase
-- name: staircase
-- text: The groups are numbered: each changes one thing more. Bytes of all sides of the tables that have the first step; by the first: the
--   geometric mean over the tables of a step's bytes by those of the first step, and its bounds (bootstrap over the tables); gain: the bytes
--   of the step before by those of this one (below 1: the step costs bytes), with the least and the greatest; time: of one slot (median), by
--   that of the first step.
-- section: title
-- column: metric | | file
-- column: step | | count
-- column: what
-- column: tables | | count desk
-- column: bytes | | count
-- column: by_first | by the first | ratio
-- column: bounds | mean, 95 % | right page desk
-- column: low | | ratio file
-- column: high | | ratio file
-- column: gain | | ratio
-- column: least_gain | least | ratio desk
-- column: least_table | its table | desk
-- column: greatest_gain | greatest | ratio desk
-- column: greatest_table | its table | desk
-- column: time_by_first | time by the first | ratio desk

SELECT metric, metric_title (metric) AS title, step, what, tables, bytes, by_first, bounds (low, high) AS bounds, low, high, gain, least_gain,
  least_table, greatest_gain, greatest_table, time_by_first
FROM stair WHERE steps > 1 ORDER BY min (first_subject) OVER (PARTITION BY metric), step
