-- figure: heat
-- name: heat
-- section: title
-- title: {title}: all {orders} piece orders
-- x: | piece order, the best in the mean first
-- y: | bytes, times those of the stream in its best order
-- caption: {title}: all piece orders: each place is the bytes of one stream in one order, by those in the best order of the stream. Light places
--   are good orders.{left_out}

-- A row for each stream that was measured in several orders (Zakharov 2015, 1.3), 24 at most; a column for each order, sorted by what it takes in the
-- mean over the rows, those that some rows lack behind all others; of more than 240 some from everywhere. So one sees whether the same orders win for
-- both sides to move and under every codec.
WITH stream AS (SELECT l.subject AS subject, b.line, b.black, b.bytes, CASE WHEN b.side = 'wb' THEN 'both' WHEN b.black THEN 'Black' ELSE 'White' END AS mover,
    row_number () OVER (PARTITION BY l.subject ORDER BY b.line, b.black) - 1 AS y, count (*) OVER (PARTITION BY l.subject) AS streams
  FROM line l JOIN best b USING (line) WHERE l.orders > 1),
  place AS (SELECT s.subject, s.line, s.y, s.mover, s.streams, r."order" || iif (r.numbering IN ('', 'rows'), '', ':' || r.numbering) AS name, 1.0 * r.bytes / s.bytes AS times
    FROM stream s CROSS JOIN row r ON r.line = s.line AND r.black = s.black WHERE s.y < 24 AND streams > 1 AND s.bytes > 0),
  mean AS (SELECT *, count (*) OVER (PARTITION BY subject, name) AS n, sum (ln (times)) OVER (PARTITION BY subject, name) AS logs FROM place),
  ranked AS (SELECT *, dense_rank () OVER (PARTITION BY subject ORDER BY n DESC, logs, name) - 1 AS i FROM mean),
  counted AS (SELECT *, 1 + max (i) OVER (PARTITION BY subject) AS orders FROM ranked),
  thinned AS (SELECT *, iif (orders <= 240, i, (i * 239 + orders - 2) / (orders - 1)) AS x FROM counted WHERE orders > 2)
SELECT file AS figure, title, x, y, times AS value, name AS column, substr (label, 1, 60) || ', ' || mover AS row, t.orders AS orders,
  iif (t.streams > 24, ' ' || (t.streams - 24) || ' more rows are in the table of piece orders.', '') AS left_out
FROM thinned t JOIN line l USING (line) WHERE t.orders <= 240 OR x * (t.orders - 1) / 239 = i ORDER BY t.subject, y, x
