-- title: Two axes together
-- name: two-way
-- text: Bytes of all sides for each pair of values, and how many times the least of the table they are. If each value had one factor of its own,
--   whatever the other axis is, the logarithms of the bytes would be sums of two numbers: the share of their differences that such sums explain is
--   told, and what is missing from 100 % is interaction.
-- section: title
-- note: note
-- strong: is_row_of_least
-- cross: row_value row_axis head
-- column: group | | file
-- column: table | | file
-- column: metric | | file
-- column: fixed | | file
-- column: row_axis | | file
-- column: row_value | | file
-- column: column_axis | | file
-- column: column_value | | file
-- column: bytes | | count
-- column: times_least | x least | times known desk

-- Of each group and subject in which exactly two axes vary, or, where more do, of the pairs that are named below, the bytes for each value of one
-- and each of the other. Where more than two vary, the others stay as they are in the smallest cell. A cell is a line, or one of its orders where
-- any line has several. The share that is told is that of a two-way analysis of variance with one value a cell.
WITH RECURSIVE grid AS (SELECT subject, "group", max (orders) > 1 AS by_order, count (DISTINCT codec) > 1 AS by_codec, min (line) AS first
    FROM line WHERE whole GROUP BY subject, "group" HAVING count (DISTINCT codec) = 1 OR count (DISTINCT label) <= 150),
  placed AS (SELECT r.line, r."order", r.numbering, sum (r.bytes) AS bytes, min (r.id) AS id
    FROM grid g JOIN line l USING (subject, "group") JOIN row r USING (line) JOIN stream s USING (line, black)
    WHERE by_order AND l.whole AND s.counted GROUP BY r.line, r."order", r.numbering
    HAVING count (*) = (SELECT sum (counted) FROM stream c WHERE c.line = r.line)),
  cell_of AS (SELECT g.subject AS subject, g."group" AS "group", l.line AS line, '' AS place, l.bytes AS bytes
      FROM grid g JOIN line l USING (subject, "group") WHERE NOT by_order AND whole
    UNION ALL SELECT g.subject, g."group", l.line, p."order" || iif (p.numbering IN ('', 'rows'), '', ' ' || p.numbering), p.bytes
      FROM grid g JOIN line l USING (subject, "group") JOIN placed p USING (line) WHERE by_order AND whole),
  -- the keys of settings, one after the other, of grids with one codec
  key (subject, "group", position, key, rest) AS (
    SELECT g.subject, g."group", 0, '', l.settings || ',' FROM grid g JOIN line l ON l.line = g.first WHERE NOT by_codec
    UNION ALL SELECT subject, "group", position + 1, substr (rest, 1, instr (rest || '=', '=') - 1), substr (rest, instr (rest, ',') + 1)
      FROM key WHERE rest NOT IN ('', ',')),
  -- what a line has in each axis but the order; of all axes how many values there are
  told AS (SELECT a.subject, a."group", l.line, a.rank, a.axis,
      CASE a.axis WHEN 'coding' THEN l.coding WHEN 'sides' THEN iif (l.sides = '', 'both', l.sides) WHEN 'codec' THEN l.label
        WHEN 'freedom' THEN l.freedom ELSE ifnull (setting (l.settings, a.axis), '') END AS value
    FROM (SELECT subject, "group", column1 AS axis, column2 AS rank FROM grid, (VALUES ('coding', 1), ('sides', 2), ('codec', 3), ('freedom', 101))
        WHERE column1 <> 'codec' OR by_codec
      UNION ALL SELECT subject, "group", key, 3 + position FROM key WHERE position > 0) a
    CROSS JOIN line l ON l.subject = a.subject AND l."group" = a."group" AND l.whole AND l.line IN (SELECT line FROM cell_of)),
  axis AS (SELECT * FROM (SELECT subject, "group", axis, rank, count (DISTINCT value) AS n FROM told GROUP BY subject, "group", axis, rank
      UNION ALL SELECT subject, "group", 'order', 100, count (DISTINCT place) FROM cell_of GROUP BY subject, "group") WHERE n > 1),
  fit AS (SELECT subject, "group", count (*) AS axes FROM axis GROUP BY subject, "group" HAVING count (*) BETWEEN 2 AND 40 AND max (n) <= 150),
  two AS (SELECT f.subject, f."group", iif (a.n < b.n, b.axis, a.axis) AS row_axis, iif (a.n < b.n, a.axis, b.axis) AS column_axis, 0 AS place
      FROM fit f JOIN axis a USING (subject, "group") JOIN axis b USING (subject, "group") WHERE axes = 2 AND a.rank < b.rank AND min (a.n, b.n) <= 12
    UNION ALL SELECT f.subject, f."group", iif (a.n < b.n, b.axis, a.axis), iif (a.n < b.n, a.axis, b.axis), w.column3
      FROM fit f, (VALUES ('order', 'freedom', 1), ('initial', 'pair', 2), ('codec', 'freedom', 3), ('codec', 'order', 4)) w
      JOIN axis a ON a.subject = f.subject AND a."group" = f."group" AND a.axis = w.column1
      JOIN axis b ON b.subject = f.subject AND b."group" = f."group" AND b.axis = w.column2 WHERE axes > 2 AND min (a.n, b.n) <= 12),
  shown AS (SELECT DISTINCT subject, "group" FROM two),
  ranked AS (SELECT *, row_number () OVER (PARTITION BY subject, "group" ORDER BY line, place) AS cell,
      row_number () OVER (PARTITION BY subject, "group" ORDER BY bytes, line, place) AS smallest FROM shown JOIN cell_of USING (subject, "group")),
  value AS (SELECT c.subject, c."group", c.cell, c.smallest, t.axis, t.rank, t.value FROM ranked c JOIN told t USING (subject, "group", line) JOIN axis a USING (subject, "group", axis)
    UNION ALL SELECT c.subject, c."group", cell, smallest, 'order', 100, place FROM ranked c JOIN axis a ON a.subject = c.subject AND a."group" = c."group" AND a.axis = 'order'),
  least AS (SELECT * FROM value WHERE smallest = 1),
  -- cells that are as the smallest one in all other axes
  taken AS (SELECT t.*, v.cell, max (CASE WHEN v.axis = t.row_axis THEN v.value END) AS row_value,
      max (CASE WHEN v.axis = t.column_axis THEN v.value END) AS column_value
    FROM two t JOIN value v USING (subject, "group") JOIN least l USING (subject, "group", axis)
    GROUP BY t.subject, t."group", t.row_axis, t.column_axis, v.cell
    HAVING sum (v.axis NOT IN (t.row_axis, t.column_axis) AND v.value <> l.value) = 0),
  filled AS (SELECT t.*, min (r.bytes) AS bytes, min (t.cell) AS first FROM taken t JOIN ranked r USING (subject, "group", cell)
    GROUP BY t.subject, t."group", t.row_axis, t.column_axis, t.row_value, t.column_value),
  down AS (SELECT subject, "group", row_axis, column_axis, row_value, min (first) AS first, min (bytes) AS least FROM filled GROUP BY 1, 2, 3, 4, 5),
  across AS (SELECT subject, "group", row_axis, column_axis, column_value, min (first) AS first FROM filled GROUP BY 1, 2, 3, 4, 5),
  whole AS (SELECT d.subject, d."group", d.row_axis, d.column_axis, d.row_value, a.column_value, d.first AS row_first, d.least AS row_least, a.first AS column_first,
      f.bytes, min (f.bytes) OVER t AS least, count (*) OVER t = count (f.bytes) OVER t AS complete, ln (f.bytes) AS v, avg (ln (f.bytes)) OVER t AS mean,
      avg (ln (f.bytes)) OVER (PARTITION BY d.subject, d."group", d.row_axis, d.column_axis, d.row_value) AS row_mean,
      avg (ln (f.bytes)) OVER (PARTITION BY d.subject, d."group", d.row_axis, d.column_axis, a.column_value) AS column_mean
    FROM down d JOIN across a USING (subject, "group", row_axis, column_axis)
    LEFT JOIN filled f ON f.subject = d.subject AND f."group" = d."group" AND f.row_axis = d.row_axis AND f.column_axis = d.column_axis
      AND f.row_value = d.row_value AND f.column_value = a.column_value
    WINDOW t AS (PARTITION BY d.subject, d."group", d.row_axis, d.column_axis)),
  share AS (SELECT subject, "group", row_axis, column_axis,
      iif (min (complete), 1 - sum ((v - row_mean - column_mean + mean) * (v - row_mean - column_mean + mean)) / nullif (sum ((v - mean) * (v - mean)), 0), NULL) AS explained
    FROM whole GROUP BY subject, "group", row_axis, column_axis),
  said AS (SELECT s.*, ifnull ((SELECT group_concat (axis || '=' || value, ', ') FROM (SELECT l.axis, l.value FROM least l
      WHERE l.subject = s.subject AND l."group" = s."group" AND l.axis NOT IN (s.row_axis, s.column_axis) ORDER BY l.rank)), '') AS fixed FROM share s)
SELECT w."group" AS "group", u."table" AS "table", u.metric AS metric, fixed, w.row_axis AS row_axis, row_value, w.column_axis AS column_axis, column_value,
  w.column_axis || ' ' || iif (w.column_axis = 'freedom' AND column_value = 'all', 'used', column_value) AS head, bytes, 1.0 * bytes / least AS times_least, ifnull (bytes = least, 0) AS is_row_of_least,
  u.title || ': ' || w.row_axis || ' by ' || w.column_axis || ' in group ' || w."group" AS title,
  trim (iif (fixed = '', '', 'As in the smallest cell: ' || fixed || '. ') || iif (explained IS NULL, '', printf ('Factors of their own explain %.1f %%.', 100 * explained))) AS note
FROM whole w JOIN said s USING (subject, "group", row_axis, column_axis) JOIN subject u ON u.subject = w.subject
JOIN two t ON t.subject = w.subject AND t."group" = w."group" AND t.row_axis = w.row_axis AND t.column_axis = w.column_axis
ORDER BY w.subject, w."group", t.place, w.row_axis, iif (w.row_axis = 'order', row_least, 0), row_first, column_first
