-- The ladder of a :metric, the longest bar first: place, bytes of all endings together, kind, figure, bytes of the smallest tables that are
-- known. A figure that some ending lacks has no bar.
WITH best AS (SELECT 'wdl' AS metric, sum (bytes) AS bytes FROM "best-wdl-3-4" UNION ALL SELECT 'dtm', sum (bytes) FROM "best-dtm-3-4"),
  bar AS (SELECT "of", kind, sum (l.bytes) AS bytes, best.bytes AS best FROM "limits/limits" l JOIN best USING (metric)
    WHERE metric = :metric GROUP BY "of" HAVING min (l.bytes) <> '')
SELECT printf ('%d %d %s "%s" %d', row_number () OVER (ORDER BY bytes DESC, "of"), bytes, kind, "of", best) FROM bar ORDER BY bytes DESC, "of";
