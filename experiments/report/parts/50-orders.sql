-- title: Piece orders
-- name: orders
-- text: The first letter is the most significant digit of the index; capitals are White's pieces, an exclamation mark stands behind the piece that
--   symmetry confines.
-- column: table | | file
-- column: metric | | file
-- column: title | table | page
-- column: side | | file
-- column: side_name | side | page
-- column: sides | | file
-- column: other_sides | sides | page apart
-- column: label | codec | page apart
-- column: codec | | file
-- column: settings | | file
-- column: freedom | | file
-- column: free | freedom | page apart
-- column: orders | | count screen desk
-- column: best_order | best
-- column: min | bytes | whole
-- column: q05 | | whole file
-- column: q25 | | whole file
-- column: mean | | whole screen desk
-- column: sd | | whole fold
-- column: median | | whole fold
-- column: q75 | | whole file
-- column: q95 | | whole file
-- column: worst_order | worst | desk
-- column: max | bytes | whole desk
-- column: spread | worst / best | times screen page
-- column: below_mean | best below mean | percent page desk

WITH stream AS (SELECT line, black, count (*) AS orders, min (bytes) AS min, quantile (bytes, 0.05) AS q05, quantile (bytes, 0.25) AS q25, avg (bytes) AS mean,
    sd (bytes) AS sd, median (bytes) AS median, quantile (bytes, 0.75) AS q75, quantile (bytes, 0.95) AS q95, max (bytes) AS max
  FROM row WHERE line IN (SELECT line FROM line WHERE orders > 1) GROUP BY line, black HAVING count (*) > 1)
SELECT l.*, s.*, b.side, CASE WHEN length (b.side) > 1 THEN 'both' WHEN b.side = '-' THEN '-' WHEN s.black THEN 'Black' ELSE 'White' END AS side_name,
  which_sides AS sides, iif (f.other_sides AND (SELECT max (which_sides <> 'both') FROM stream JOIN line USING (line)), replace (replace (which_sides, 'white', 'White'), 'black', 'Black'), NULL) AS other_sides, b."order" AS best_order,
  (SELECT "order" FROM row r WHERE r.line = s.line AND r.black = s.black ORDER BY bytes DESC, id LIMIT 1) AS worst_order, 1.0 * s.max / s.min AS spread,
  100 * (1 - s.min / s.mean) AS below_mean
FROM stream s JOIN line l USING (line) JOIN best b USING (line, black), fact f ORDER BY s.line, s.black
