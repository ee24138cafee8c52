-- Bytes of one stream in its best order; of four streams in that order; of four streams, each in its own best order.
CREATE TEMP VIEW p AS SELECT rowid AS place, ending, side, "order", one + 0 AS one, a + b + c + d AS four, a + 0 AS a, b + 0 AS b, c + 0 AS c, d + 0 AS d FROM "syzygy/pawns";
CREATE TEMP VIEW best AS SELECT ending, side, min (one) AS one, "order", four FROM p GROUP BY 1, 2; -- the other columns are those of the least
CREATE TEMP VIEW own AS SELECT ending, side, min (place) AS place, min (a) + min (b) + min (c) + min (d) AS own FROM p GROUP BY 1, 2;
SELECT '| ending | to move | best order | one stream | four, that order | | four, each its best order | |';
SELECT '|---|---|---|---:|---:|---:|---:|---:|';
SELECT printf ('| %s | %s | `%s` | %,d | %,d | %+.1f %% | %,d | %+.1f %% |', ending, iif (side = 'w', 'White', 'Black'), "order", one, four, 100.0 * four / one - 100, own, 100.0 * own / one - 100)
FROM best JOIN own USING (ending, side) ORDER BY place;
SELECT printf ('| all | | | %,d | %,d | %+.1f %% | %,d | %+.1f %% |', sum (one), sum (four), 100.0 * sum (four) / sum (one) - 100, sum (own), 100.0 * sum (own) / sum (one) - 100)
FROM best JOIN own USING (ending, side);
