-- What the sums over the 35 endings say.
CREATE TEMP VIEW m AS SELECT "table" AS t, metric, codec, bytes + 0 AS b, positions + 0 AS n FROM "syzygy/metrics";
CREATE TEMP VIEW s AS SELECT metric, sum (b) AS b FROM (SELECT metric, t, min (b) AS b FROM m GROUP BY 1, 2) GROUP BY 1;
SELECT printf ('* **WDL50 costs nothing beside WDL**: %+.2f %%. No win of these endings is cursed, so that the five values are the three of WDL; what is left are some bytes a file.',
  100.0 * (SELECT b FROM s WHERE metric = 'wdl50') / (SELECT b FROM s WHERE metric = 'wdl') - 100);
SELECT printf ('* **DTZ50 takes half of DTM** (%.2f), and %.0f times the bytes of WDL50. With pawns it takes far less, because a pawn''s move ends the count. Without pawns DTM is about as small, and smaller in %d endings.',
  1.0 * (SELECT b FROM s WHERE metric = 'dtz50') / (SELECT b FROM s WHERE metric = 'dtm'), 1.0 * (SELECT b FROM s WHERE metric = 'dtz50') / (SELECT b FROM s WHERE metric = 'wdl50'),
  (SELECT count (*) FROM (SELECT t FROM (SELECT t, metric, min (b) AS b FROM m GROUP BY 1, 2) GROUP BY t HAVING max (iif (metric = 'dtm', b, 0)) < max (iif (metric = 'dtz50', b, 0)))));
SELECT printf ('* **Beside item 13**, which says 0.3 bits a position for WDL and DTZ together with six men: the public files with 3 and 4 men take %.3f bits.',
  8.0 * ((SELECT sum (public) FROM "syzygy/recompressed") + (SELECT sum (public) FROM "syzygy/exported")) / (SELECT sum (n) FROM m WHERE metric = 'wdl' AND codec = 'repair'));
