-- When balancing pays: iterations by d / (B/t + D_H); behind it the time balanced by the time without: the least, the geometric mean, the
-- largest. It counts as sooner or later from a thousandth on.
SELECT '| d / (B/t + D_H) | iterations | sooner | later | least | mean | most |';
SELECT '|---|---:|---:|---:|---:|---:|---:|';
WITH bins (title, low, high) AS (VALUES ('below 0.01', 0, 0.01), ('0.01 to 0.1', 0.01, 0.1), ('0.1 to 0.5', 0.1, 0.5), ('0.5 to 1', 0.5, 1), ('1 to 2', 1, 2),
  ('2 to 10', 2, 10), ('10 to 100', 10, 100), ('100 and more', 100, 9e999)),
i AS (SELECT 1.0 * imbalance_states / least_imbalance_states AS d, 1.0 * balanced_s / plain_s AS ratio FROM "retrograde/imbalance")
SELECT printf ('| %s | %d | %d | %d | %.3f | %.3f | %.3f |', title, count (*), sum (ratio < 0.999), sum (ratio > 1.001), min (ratio), exp (avg (ln (ratio))), max (ratio))
FROM bins JOIN i ON d >= low AND d < high GROUP BY low ORDER BY low;
