-- title: The rows of staircase.conf as staircase.csv, those of the piece orders left out.

SELECT "group", "table", metric, side, bytes FROM cell WHERE "group" <> 'orders' ORDER BY 1, 2, 3, 4
