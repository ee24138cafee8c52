-- title: Bytes of the streams of all sides to move, with and without positions in check as a source of freedom: the rows of checks.conf as
--   checks.csv.

WITH sums AS (SELECT "group" AS part, metric, codec, "table" AS ending, freedom, sum (bytes) AS bytes FROM cell GROUP BY 1, 2, 3, 4, 5)
SELECT a.part, a.metric, a.codec, a.ending, a.bytes AS all_bytes, c.bytes AS check_bytes, e.bytes AS evident_bytes
FROM sums a JOIN sums c USING (part, metric, codec, ending) LEFT JOIN sums e
  ON e.part = a.part AND e.metric = a.metric AND e.codec = a.codec AND e.ending = a.ending AND e.freedom LIKE '%evident%'
WHERE a.freedom = 'all' AND c.freedom LIKE '%check%'
ORDER BY a.part, a.metric, a.codec, a.ending || ','
