-- title: Bytes of the streams of all sides to move, and what is changed against the default, the first row of this codec in a metric: the
--   rows of gains.conf as gains.csv.

WITH usual AS (SELECT metric, settings, numbering, min (id) FROM cell WHERE codec = 'obdd' GROUP BY metric), -- that of the least id
  c AS (SELECT id, metric, "table" AS ending, bytes, trim (iif (codec = 'obdd', replace (trim (shown_settings (c.settings, u.settings)), ' ', ','), 'rle')
      || iif (freedom = 'all', '', ' free: ' || freedom)
      || iif (codec = 'obdd' AND c.numbering <> u.numbering, ' numbering ' || ifnull (nullif (c.numbering, ''), 'rows'), '')) AS changed
    FROM cell c JOIN usual u USING (metric)),
  sums AS (SELECT min (id) AS id, metric, ifnull (nullif (changed, ''), 'default') AS what, ending, sum (bytes) AS bytes FROM c GROUP BY metric, changed, ending)
SELECT metric, what AS changed, ending, bytes FROM sums
ORDER BY min (id) OVER (PARTITION BY metric), min (id) OVER (PARTITION BY metric, what), min (id) OVER (PARTITION BY metric, ending)
