-- title: Bytes of each stream by the initial replacement: the rows of initial.conf as initial.csv.

SELECT "table", metric, side, setting (settings, 'initial') AS initial, bytes FROM cell ORDER BY 1, 2, 3, 4
