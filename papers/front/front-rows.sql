-- title: Bytes of both sides' streams and the mean of both sides' median lookups: the rows of front.conf as front.csv.
-- text: Settings are those that are not the default, and the block. Place counts the settings of a table that no other one
--   beats in both bytes and time, the fastest first; others have none.

WITH cells AS (SELECT "table", metric, codec, settings_without (unusual_settings (codec, settings), 'block') AS rest, setting (settings, 'block') AS block, bytes, get_ns,
    get_scatter, busy_cores FROM cell WHERE get_ns IS NOT NULL),
s AS (SELECT "table", metric, codec, iif (block <> '', 'block=' || block || iif (rest <> '', ',', ''), '') || rest AS settings,
    sum (bytes) AS bytes, avg (get_ns) AS ns, max (get_scatter) AS scatter, max (busy_cores) AS busy
  FROM cells GROUP BY 1, 2, 3, 4 HAVING count (*) = 2), -- both sides to move
f AS (SELECT *, NOT EXISTS (SELECT 1 FROM s o WHERE o."table" = s."table" AND o.metric = s.metric AND o.bytes <= s.bytes AND o.ns <= s.ns
    AND (o.bytes < s.bytes OR o.ns < s.ns)) AS front FROM s)
SELECT "table", metric, codec, settings, bytes, printf ('%.1f', ns) AS lookup_ns, printf ('%.2f', scatter) AS scatter, printf ('%.1f', busy) AS busy_cores,
  iif (front, sum (front) OVER (PARTITION BY "table", metric ORDER BY ns), '') AS place
FROM f ORDER BY 1, 2, ns, bytes
