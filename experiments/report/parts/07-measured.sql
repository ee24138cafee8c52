-- paragraphs: text

-- What is missing, the runs in a line, and what should be known before rows are compared.
WITH unfinished AS (SELECT iif (missing > failed, 'the sweep is not finished: ', '') || missing || ' of ' || (rows + missing) || ' cells have no row'
      || iif (failed, ', ' || failed || ' of them because of errors', '') AS text FROM fact WHERE missing),
  last AS (SELECT * FROM made ORDER BY id DESC LIMIT 1), n AS (SELECT count (*) AS runs FROM made)
SELECT 'Warning: ' || text || '.' AS text, text AS warning, 'Warning: ' || text || '.' AS unfinished, -1 AS place FROM unfinished
UNION ALL SELECT iif (runs = 1, 'Measured by ' || version || ', commit ' || "commit" || ', on ' || cpu || ' with ' || cores || ' cores and ' || jobs || ' jobs, from ' || started || ' on.',
  'Measured in ' || runs || ' runs; the last by ' || version || ', commit ' || "commit" || ', on ' || cpu || ', from ' || started || ' on. All of them are listed at the end.')
  AS text, NULL, NULL, 0 FROM last, n
UNION ALL SELECT 'Warning: ' || text || '.', text, NULL, rowid FROM warning WHERE store = '' ORDER BY place
