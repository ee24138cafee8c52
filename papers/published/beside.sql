-- Each published figure beside ours, or the reason why there is none; at the end how many there are of each kind.
CREATE TEMP VIEW b AS SELECT p.rowid AS place, source, printf ('| %s | %s | %s | %s %s |', "table", "row", "column", replace (p.value, '|', '\|'), p.unit) AS line, -- a bar would end the cell
  CASE WHEN ours LIKE 'test:%' OR key IS NOT NULL THEN 'beside' WHEN ours <> '' THEN 'missing' WHEN why <> '' THEN 'reason' END AS kind,
  CASE WHEN ours LIKE 'test:%' THEN 'the same' WHEN key IS NOT NULL THEN o.value || ' ' || o.unit ELSE '' END AS figure,
  CASE WHEN ours LIKE 'test:%' THEN ours WHEN key IS NOT NULL THEN o."from" WHEN ours <> '' THEN 'not measured yet: ' || ours WHEN why <> '' THEN why
    ELSE 'NEITHER OURS NOR A REASON' END AS place_of
FROM "published/published" p LEFT JOIN "published/ours" o ON o.key = p.ours AND p.ours <> '';
SELECT printf ('## %s', source) || char (10, 10) || '| table | row | figure | published | ours | from |' || char (10) || '|---|---|---|---:|---:|---|' || char (10)
  || group_concat (line || printf (' %s | %s |', figure, place_of), char (10)) || char (10)
FROM (SELECT * FROM b ORDER BY place) GROUP BY source ORDER BY min (place);
SELECT printf ('%d published figures: %d beside ours, %d with a reason why not, %d not measured', count (*), sum (kind = 'beside'), sum (kind = 'reason'), sum (kind = 'missing')) FROM b;
