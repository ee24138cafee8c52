-- title: Outliers
-- level: 3
-- name: outliers
-- text: Lines more than three robust standard deviations (of at least 2 % of the value) beside the others of their codec: their time (ns) beside the
--   line over block sizes, or their ratio to the baseline beside the median over the tables. Fewer than 6 points tell nothing.
-- column: group | | file
-- column: table | | file
-- column: metric | | file
-- column: title | table | page
-- column: coding | | file
-- column: label | codec | page
-- column: codec | | file
-- column: settings | | file
-- column: freedom | | file
-- column: free | freedom | page
-- column: what
-- column: measured | | digits
-- column: expected | | digits
-- column: deviations | | off

-- Beside the robust line of the codec (the median of the slopes between two points, Theil 1950, Sen 1968), or beside the median of the ratios
-- that it has over the tables; a robust deviation is 1.4826 times the median of the absolute deviations.
WITH slope AS (SELECT subject, kind_of, robust_slope (block, get_ns) AS slope FROM curve_line GROUP BY subject, kind_of HAVING count (*) >= 6),
  rest AS (SELECT c.line, c.subject, c.kind_of, c.block, c.get_ns, slope, c.get_ns - slope * c.block AS rest FROM curve_line c JOIN slope USING (subject, kind_of)),
  middle AS (SELECT subject, kind_of, median (rest) AS middle, robust_deviation (rest) AS deviation FROM rest GROUP BY subject, kind_of),
  slow AS (SELECT line, 1 AS kind, 'time over block sizes' AS what, subject AS a, kind_of AS b, block AS c, get_ns AS measured, middle + slope * block AS expected,
      (get_ns - middle - slope * block) / max (deviation, 0.02 * abs (middle + slope * block)) AS deviations
    FROM rest JOIN middle USING (subject, kind_of)),
  ratio AS (SELECT line, choice, subject, 2 AS kind, 'bytes by the baseline''s' AS what, ln (bytes_ratio) AS v FROM pair
    UNION ALL SELECT line, choice, subject, 3, 'time by the baseline''s', ln (get_ratio) FROM pair WHERE get_ratio > 0),
  median AS (SELECT choice, kind, median (v) AS middle, robust_deviation (v) AS deviation FROM ratio GROUP BY choice, kind HAVING count (v) >= 6),
  found AS (SELECT line, 0 AS kind, what, a, b, c, measured, expected, deviations FROM slow
    UNION ALL SELECT line, 1, what, choice, kind, subject, exp (v), exp (middle), (v - middle) / max (deviation, 0.02) FROM ratio JOIN median USING (choice, kind))
SELECT l.*, f.what, f.measured, f.expected, f.deviations FROM found f JOIN line l USING (line) WHERE abs (deviations) > 3
ORDER BY f.kind, f.a, f.b, f.c
