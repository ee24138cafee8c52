-- title: Bytes of both final rules: the rows of final.conf as final.csv.

SELECT "table", metric, side, setting (settings, 'initial') AS initial, setting (settings, 'pair') AS pair,
  max (bytes) FILTER (WHERE setting (settings, 'final') = 'longest') AS longest_bytes,
  max (bytes) FILTER (WHERE setting (settings, 'final') = 'frequent') AS frequent_bytes
FROM cell GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
