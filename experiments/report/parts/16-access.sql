-- figure: front
-- name: access
-- section: title
-- title: {title}: size against access time
-- x: time | median time of a {what}
-- y: bytes | bytes of {turns}
-- legend: freedom used | no freedom | Pareto front
-- caption: {title}: size against access time (median of a {what}, mean of the sides), both axes logarithmic: all {points} lines that were
--   timed. Filled: freedom used; hollow: no freedom.{arrows}{optimal}{bars}{untimed}{one_sided}

-- Whole probes if as many lines have them as have single slots. An arrow leads from a line without freedom to the smallest of the same
-- codec and settings whose freedom was used: what freedom gains. Of more than 200 points there are none. A name tells the freedom
-- if that is neither all nor none, and the sides where it would stand for several lines otherwise.
WITH asked AS (SELECT subject, count (probe_ns) FILTER (WHERE whole) > 0 AND count (probe_ns) FILTER (WHERE whole) >= count (get_ns) FILTER (WHERE whole)
      AS probes, sum (NOT whole) AS one_sided FROM line GROUP BY subject),
  timed AS (SELECT line, subject, bytes, codec, coding, settings, sides, freedom, iif (probes, probe_ns, get_ns) AS x, iif (probes, probe_low_ns, get_low_ns) AS least,
      iif (probes, probe_high_ns, get_high_ns) AS most FROM line JOIN asked USING (subject) WHERE whole),
  left_out AS (SELECT subject, count (*) AS untimed FROM timed JOIN line USING (line, subject) WHERE listed = line AND NOT ifnull (x > 0, 0) GROUP BY subject),
  point AS (SELECT *, iif (least > 0 AND least <= x AND most >= x, least, NULL) AS low,
      iif (least > 0 AND least <= x AND most >= x, most, NULL) AS high,
      bytes < ifnull (min (bytes) OVER (PARTITION BY subject ORDER BY x, bytes, line ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 1e300) AS front
    FROM timed WHERE x > 0),
  number AS (SELECT subject, count (*) AS points FROM timed WHERE x > 0 GROUP BY subject),
  freed AS (SELECT line, freedom, first_value (iif (freedom = 'none', NULL, x)) OVER alike AS to_x, first_value (iif (freedom = 'none', NULL, bytes)) OVER alike AS to_y
    FROM timed JOIN number USING (subject) WHERE x > 0 AND points <= 200
    WINDOW alike AS (PARTITION BY subject, codec, coding, settings, sides ORDER BY freedom = 'none', bytes, x, line)),
  drawn AS (SELECT p.*, points, to_x, to_y FROM point p JOIN number USING (subject) LEFT JOIN freed f ON f.line = p.line AND f.freedom = 'none' WHERE points > 1),
  named AS (SELECT line, iif (d.sides <> '' AND count (*) OVER (PARTITION BY d.subject, label, d.freedom) > 1, ' ' || d.sides, '')
      || iif (d.freedom IN ('all', 'none'), '', ', freedom ' || d.freedom) AS more FROM drawn d JOIN line l USING (line)),
  told AS (SELECT subject, count (to_x) AS freed, sum (front) AS fronts, count (low) AS timed FROM drawn GROUP BY subject)
SELECT file AS figure, title, d.codec AS series, x, d.bytes AS y, low, high, d.freedom = 'none' AS hollow, to_x, to_y, front, label || more AS label, kind_of || more AS crowd,
  codec_shown || more AS crowd_label, points, iif (probes, 'whole probe', 'lookup') AS what, iif (all_sides = 2, 'both sides to move', 'one side to move') AS turns,
  iif (t.freed, ' An arrow, or a line where it has no room for a head, leads from no freedom to freedom used, all else alike; both ends have one name.', '') AS arrows,
  iif (t.fronts > 1, ' No other line is both smaller and quicker than those on the Pareto front.', '') AS optimal,
  iif (t.timed, ' Bars: 95 % bounds of the median.', '') AS bars,
  ifnull (' ' || o.untimed || iif (o.untimed = 1, ' line that was not timed is left out.', ' lines that were not timed are left out.'), '') AS untimed,
  iif (one_sided, ' ' || one_sided || iif (one_sided = 1, ' line of one side only is left out.', ' lines of one side only are left out.'), '') AS one_sided
FROM drawn d JOIN line l USING (line) JOIN named n USING (line) JOIN asked a ON a.subject = d.subject JOIN told t ON t.subject = d.subject
LEFT JOIN left_out o ON o.subject = d.subject ORDER BY d.subject, x, d.bytes, line
