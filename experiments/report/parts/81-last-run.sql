-- about: about
-- column: what | last run
-- column: text | {''}

WITH last AS (SELECT * FROM made ORDER BY id DESC LIMIT 1)
SELECT column1 AS what, column2 AS text, 'the last run, its command, compiler, libraries' AS about FROM (SELECT 0 AS column1, 0 AS column2 WHERE 0
  UNION ALL SELECT 'command', command FROM last
  UNION ALL SELECT 'program', version FROM last
  UNION ALL SELECT 'compiler', compiler FROM last
  UNION ALL SELECT 'compiler flags', flags FROM last
  UNION ALL SELECT 'configure', configure FROM last
  UNION ALL SELECT 'libraries', libraries FROM last
  UNION ALL SELECT 'kernel', kernel FROM last
  UNION ALL SELECT 'seed', CAST (seed AS TEXT) FROM last
  UNION ALL SELECT 'sweep', sweep_file || ', hash ' || sweep_hash FROM last) WHERE text <> ''
