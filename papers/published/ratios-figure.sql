-- Ratios of our figures to the published ones, those that are plain numbers in one unit: the group (of the dots in the middle of its row), the
-- ratio, how far from the middle of its row it is drawn, the number of the row.
CREATE TEMP VIEW plain AS SELECT p.rowid AS place, source, "column" AS head, p.unit AS unit, o.value AS ours,
  iif (p.unit = 'min:s', 60.0 * p.value + substr (p.value, instr (p.value, 'm') + 1), p.value) AS theirs -- 10m30.698s
FROM "published/published" p JOIN "published/ours" o ON o."key" = p.ours AND o.unit = iif (p.unit = 'min:s', 's', p.unit);
CREATE TEMP VIEW named AS SELECT *, CASE
  WHEN source NOT LIKE 'kristensen%' THEN upper (substr (source, 1, 1)) || rtrim (substr (source, 2), '0123456789')
  WHEN unit IN ('us', 'min:s') THEN 'Kristensen, time'
  WHEN unit <> 'bytes' OR head NOT LIKE 'WDL, %' AND head NOT LIKE 'DTM, %' THEN 'Kristensen, other'
  WHEN head LIKE '%EgmProbe%' THEN 'EgmProbe, ' || substr (head, 1, 3)
  WHEN head LIKE '%Nalimov%' THEN 'Nalimov, ' || substr (head, 1, 3)
  ELSE 'Kristensen, ' || substr (head, 1, 3) END AS name
FROM plain WHERE NOT ours GLOB '*[^0-9.e]*' AND NOT theirs GLOB '*[^0-9.e]*' AND ours + 0 > 0 AND theirs + 0 > 0;
CREATE TEMP TABLE dot AS SELECT name, row_number () OVER (PARTITION BY name ORDER BY place) AS i, 1.0 * ours / theirs AS ratio FROM named;
CREATE TEMP VIEW line AS SELECT name, row_number () OVER (ORDER BY key) - 1 AS line
FROM json_each ('["Kristensen, WDL", "Kristensen, DTM", "EgmProbe, WDL", "Nalimov, DTM", "Kristensen, time", "Kristensen, other", "Makhnychev",
  "Nemec", "Syzygy", "Zakharov"]') JOIN (SELECT DISTINCT name FROM dot) ON name = value;
-- Dots that would cover each other stand side by side, so that all can be counted: each on the nearest level that is free there.
CREATE TEMP VIEW placed AS WITH RECURSIVE level (n) AS (VALUES (0) UNION ALL SELECT n + 1 FROM level WHERE n < 9),
  placed (name, i, ratio, levels) AS (SELECT name, 0, 0, '[]' FROM line UNION ALL
    SELECT d.name, d.i, d.ratio, json_insert (levels, '$[#]', (SELECT min (n) FROM level WHERE n = 9 OR NOT EXISTS (
      SELECT 1 FROM json_each (levels) JOIN dot o ON o.name = d.name AND o.i = key + 1 WHERE value = n AND pow (ln (d.ratio / o.ratio), 2) <= 0.02)))
    FROM placed p JOIN dot d ON d.name = p.name AND d.i = p.i + 1)
SELECT name, i, ratio, levels ->> '$[#-1]' AS level FROM placed WHERE i;
SELECT printf ('"%s" %.6f %.3f %d', iif (level, '', name), ratio, iif (level % 2, 1, -1) * ((level + 1) / 2) * 0.1, line)
FROM placed JOIN line USING (name) ORDER BY line, i;
