-- title: The best order of the tight and of the simple index, for each ending, metric and side: the rows of index.conf as index.csv.

WITH o AS (SELECT *, row_number () OVER (PARTITION BY "table", metric, side, "group" ORDER BY bytes, "order") AS place
  FROM (SELECT DISTINCT "group", "table", metric, side, "order", bytes, slots FROM cell))
SELECT "table", metric, side, count (*) FILTER (WHERE "group" = 'tight') AS tight_orders,
  max ("order") FILTER (WHERE "group" = 'tight' AND place = 1) AS tight_order,
  max (bytes) FILTER (WHERE "group" = 'tight' AND place = 1) AS tight_bytes,
  max (slots) FILTER (WHERE "group" = 'tight' AND place = 1) AS tight_slots,
  count (*) FILTER (WHERE "group" = 'simple') AS simple_orders,
  max ("order") FILTER (WHERE "group" = 'simple' AND place = 1) AS simple_order,
  max (bytes) FILTER (WHERE "group" = 'simple' AND place = 1) AS simple_bytes,
  max (slots) FILTER (WHERE "group" = 'simple' AND place = 1) AS simple_slots
FROM o GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
