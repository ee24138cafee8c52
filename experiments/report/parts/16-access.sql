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
WITH counted AS (SELECT subject, count (probe_ns) FILTER (WHERE whole) > 0 AND count (probe_ns) FILTER (WHERE whole) >= count (get_ns) FILTER (WHERE whole) AS probes,
      count (*) FILTER (WHERE whole AND probe_ns > 0) AS probe_points, count (*) FILTER (WHERE whole AND get_ns > 0) AS get_points,
      count (*) FILTER (WHERE whole AND listed = line AND NOT ifnull (probe_ns > 0, 0)) AS no_probe,
      count (*) FILTER (WHERE whole AND listed = line AND NOT ifnull (get_ns > 0, 0)) AS no_get, sum (NOT whole) AS one_sided FROM line GROUP BY subject),
  asked AS (SELECT subject, probes, iif (probes, probe_points, get_points) AS points, iif (probes, no_probe, no_get) AS untimed, one_sided FROM counted),
  timed AS (SELECT line, subject, points, bytes, freedom, iif (probes, probe_ns, get_ns) AS x, iif (probes, probe_low_ns, get_low_ns) AS least,
      iif (probes, probe_high_ns, get_high_ns) AS most FROM asked CROSS JOIN line USING (subject) WHERE whole AND points > 1),
  point AS (SELECT *, iif (least > 0 AND least <= x AND most >= x, least, NULL) AS low,
      iif (least > 0 AND least <= x AND most >= x, most, NULL) AS high,
      bytes < ifnull (min (bytes) OVER (PARTITION BY subject ORDER BY x, bytes, line ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 1e300) AS front
    FROM timed WHERE x > 0),
  drawn AS (SELECT *, NULL AS to_x, NULL AS to_y FROM point WHERE points > 200
    UNION ALL SELECT p.*, iif (p.freedom = 'none', first_value (iif (p.freedom = 'none', NULL, x)) OVER alike, NULL),
      iif (p.freedom = 'none', first_value (iif (p.freedom = 'none', NULL, p.bytes)) OVER alike, NULL)
    FROM point p JOIN line l USING (line) WHERE points <= 200
    WINDOW alike AS (PARTITION BY p.subject, l.codec, l.coding, l.settings, l.sides ORDER BY p.freedom = 'none', p.bytes, x, line)),
  sided AS (SELECT line, iif (l.sides <> '' AND count (*) OVER (PARTITION BY d.subject, label, d.freedom) > 1, ' ' || l.sides, '') AS sides
    FROM drawn d JOIN line l USING (line) WHERE (SELECT other_sides FROM fact)),
  named AS (SELECT d.*, ifnull (s.sides, '') || iif (freedom IN ('all', 'none'), '', ', freedom ' || freedom) AS more FROM drawn d LEFT JOIN sided s USING (line)),
  number AS (SELECT subject, count (to_x) AS freed, sum (front) AS fronts, count (low) AS timed FROM drawn GROUP BY subject),
  told AS MATERIALIZED (SELECT subject, points, iif (probes, 'whole probe', 'lookup') AS what,
      iif (freed, ' An arrow, or a line where it has no room for a head, leads from no freedom to freedom used, all else alike; both ends have one name.', '') AS arrows,
      iif (fronts > 1, ' No other line is both smaller and quicker than those on the Pareto front.', '') AS optimal,
      iif (timed, ' Bars: 95 % bounds of the median.', '') AS bars,
      iif (untimed, ' ' || untimed || iif (untimed = 1, ' line that was not timed is left out.', ' lines that were not timed are left out.'), '') AS untimed,
      iif (one_sided, ' ' || one_sided || iif (one_sided = 1, ' line of one side only is left out.', ' lines of one side only are left out.'), '') AS one_sided
    FROM asked JOIN number USING (subject))
SELECT file AS figure, title, l.codec AS series, x, d.bytes AS y, low, high, d.freedom = 'none' AS hollow, to_x, to_y, front, label || more AS label, kind_of || more AS crowd,
  codec_shown || more AS crowd_label, t.points AS points, what, iif (all_sides = 2, 'both sides to move', 'one side to move') AS turns, arrows, optimal, bars, untimed, one_sided
FROM named d JOIN line l USING (line) JOIN told t ON t.subject = d.subject ORDER BY d.subject, x, d.bytes, line
