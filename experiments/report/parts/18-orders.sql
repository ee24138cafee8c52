-- figure: bars
-- name: orders
-- section: title
-- title: {title}: size over {orders} piece orders
-- x: | piece order
-- y: bytes | bytes, {codec}
-- legend: {first} | {second} | {third}
-- caption: {title}: size over the orders of the pieces with {codec}, sorted{hollow}.{drawn}{others}

-- The smallest line with freedom that was measured in several orders: a bar for each that all of its streams have, the smallest first, of more than
-- 120 some from everywhere. Marks are the same orders with no freedom, where all have one and they leave the bars to be seen.
WITH swept AS (SELECT *, row_number () OVER (PARTITION BY subject ORDER BY freedom = 'none', bytes, line) AS place,
    count (*) OVER (PARTITION BY subject) AS sweeps FROM line WHERE orders > 1),
  shown AS (SELECT * FROM swept WHERE place = 1),
  none AS (SELECT s.line AS line, r."order", r.numbering, sum (r.bytes) AS bytes
    FROM shown s JOIN line n ON n.subject = s.subject AND n."group" = s."group" AND n.coding = s.coding AND n.sides = s.sides AND n.codec = s.codec
      AND n.settings = s.settings AND n.freedom = 'none' AND n.line <> s.line
    JOIN row r ON r.line = n.line GROUP BY s.line, r."order", r.numbering),
  bar AS (SELECT r.line, r."order", r.numbering, min (r.id) AS id, sum (r.bytes) FILTER (WHERE NOT r.black) AS white, sum (r.bytes) FILTER (WHERE r.black) AS black,
      sum (r.bytes) AS bytes, max (r.side = 'wb') AS joint FROM shown s JOIN row r USING (line) GROUP BY r.line, r."order", r.numbering HAVING count (*) = min (s.streams)),
  placed AS (SELECT b.*, n.bytes AS none, row_number () OVER (PARTITION BY b.line ORDER BY b.bytes, b.id) - 1 AS i, count (*) OVER (PARTITION BY b.line) AS n
    FROM bar b LEFT JOIN none n USING (line, "order", numbering)),
  drawn AS (SELECT *, count (*) OVER (PARTITION BY line) AS bars, count (none) OVER (PARTITION BY line) = count (*) OVER (PARTITION BY line)
      AND max (none) OVER (PARTITION BY line) <= 4 * max (bytes) OVER (PARTITION BY line) AS marked
    FROM placed WHERE n > 1 AND (n <= 120 OR (i * 119 + n - 2) / (n - 1) * (n - 1) / 119 = i))
SELECT file AS figure, title, d."order" || iif (d.numbering IN ('', 'rows'), '', ':' || d.numbering) AS label, white AS y, black AS y2,
  iif (marked, none, NULL) AS mark, n AS orders, substr (s.label, 1, 60) AS codec, iif (joint, 'both in one stream', 'White to move') AS first,
  'Black to move' AS second, iif (nsides = 2, 'both, no freedom', 'no freedom') AS third,
  iif (marked, '; hollow marks are the same orders with no freedom', '') AS hollow,
  iif (bars < n, ' ' || bars || ' of the ' || n || ' orders are drawn, evenly through the list.', '') AS drawn,
  iif (sweeps > 1, ' All ' || sweeps || ' lines over several orders are in the table of piece orders.', '') AS others
FROM drawn d JOIN shown s USING (line) ORDER BY s.subject, i
