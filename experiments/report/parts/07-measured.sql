-- paragraphs: text

-- The runs in a line, and what should be known before rows are compared.
WITH last AS (SELECT * FROM made ORDER BY id DESC LIMIT 1), n AS (SELECT count (*) AS runs FROM made)
SELECT iif (runs = 1, 'Measured by ' || version || ', commit ' || "commit" || ', on ' || cpu || ' with ' || cores || ' cores and ' || jobs || ' jobs, from ' || started || ' on.',
  'Measured in ' || runs || ' runs; the last by ' || version || ', commit ' || "commit" || ', on ' || cpu || ', from ' || started || ' on. All of them are listed at the end.')
  AS text, NULL AS warning, 0 AS place FROM last, n
UNION ALL SELECT 'Warning: ' || text || '.', text, rowid FROM warning WHERE store = '' ORDER BY place
