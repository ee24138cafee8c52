-- The size of the dictionary, KQvKR, both sides, greedy.
CREATE TEMP VIEW d AS SELECT metric, iif ("group" = 'dictionary-by-cost', 0, symbols + 0) AS symbols, sum (bytes) AS b FROM "repair/choices" WHERE "group" LIKE 'dictionary%' GROUP BY 1, 2;
SELECT '| phrases a stream, at most | KQvKR WDL | KQvKR DTM |';
SELECT '|---|---:|---:|';
SELECT printf ('| %s | %,d | %,d |', iif (w.symbols = 0, '**chosen by cost (default)**', printf ('%,d', w.symbols)), w.b, d.b)
FROM d w JOIN d ON d.symbols = w.symbols AND d.metric = 'dtm' WHERE w.metric = 'wdl' ORDER BY w.symbols = 0, w.symbols;
