-- Pawns on 48 squares against 64 of which 16 are free: bytes of both sides to move (WDL), and what follows.
CREATE TEMP VIEW q AS SELECT ending AS e, numbering, codec, freedom, sum (bytes_48) AS narrow, sum (bytes_64) AS wide FROM "obdd/squares" GROUP BY 1, 2, 3, 4;
CREATE TEMP VIEW s AS SELECT e, narrow, wide, CASE WHEN codec = 'repair' THEN 3 WHEN freedom = 'illegal' THEN 0 WHEN numbering = 'folded' THEN 1 ELSE 2 END AS way FROM q;
SELECT '| ending | | 48 squares | 64 squares | |';
SELECT '|---|---|---:|---:|---:|';
SELECT printf ('| %s | %s | %,d | %,d | %+.1f %% |', e, CASE way WHEN 0 THEN 'Kristensen''s set, kings `z`, others `folded`' WHEN 1 THEN 'diagram, all men `folded`' WHEN 2 THEN 'diagram, pawns by `rows`' ELSE 'RE-PAIR, `rows`' END, narrow, wide, 100.0 * wide / narrow - 100) FROM s ORDER BY e, way;
SELECT '';
CREATE TEMP VIEW w AS SELECT way, count (*) AS n, sum (wide < narrow) AS fewer, min (100.0 * wide / narrow - 100) AS low, max (100.0 * wide / narrow - 100) AS high, max (abs (100.0 * wide / narrow - 100)) AS far FROM s GROUP BY way;
SELECT printf ('* **Useless, and worse where the numbering folds.** With pawns by `rows` both take the same but for %.1f %% at most: 48 numbers have six bits as 64 have, and those of the rank are shifted by one. With `folded` the bits of a place among 48 squares are not those of the square: 64 squares change the bytes of diagrams by %+.0f to %+.0f %%.', r.far, f.high, f.low)
  FROM w r, w f WHERE r.way = 2 AND f.way = 1;
SELECT printf ('* **Kristensen''s own set** takes fewer bytes with 64 squares for %d of %d endings (%+.0f to %+.0f %%): where sifting stops is worth as much.', fewer, n, low, high) FROM w WHERE way = 0;
SELECT printf ('* **RE-PAIR** hardly cares (%+.1f to %+.1f %%).', low, high) FROM w WHERE way = 3;
