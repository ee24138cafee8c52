-- title: The rows of orders.conf as orders.csv.

SELECT "table", metric, side, "order", bytes FROM cell WHERE "group" LIKE 'orders%' ORDER BY 1, 2, 3, "order" || ','
