-- The defaults of WDL beside Syzygy's files: in how many endings a codec takes more bytes.
SELECT printf ('Beside Syzygy''s %s bytes of WDL files, RE-PAIR takes more bytes in %d of the %d endings, diagrams in two streams in %d, '
               || 'in one in %d, in two with checks free in %d; together RE-PAIR takes %.2f of them, diagrams in two streams %.3f, in one %.3f, in two with checks free %.3f.', printf ('%,d', SUM (s)), SUM (r > s), COUNT (*), SUM (d > s),
               SUM (j > s), SUM (f > s), 1.0 * SUM (r) / SUM (s), 1.0 * SUM (d) / SUM (s), 1.0 * SUM (j) / SUM (s), 1.0 * SUM (f) / SUM (s))
  FROM (SELECT a.material, CAST (y.public AS INT) AS s, CAST (a.bytes AS INT) AS r, CAST (b.bytes AS INT) AS d, CAST (c.bytes AS INT) AS j, CAST (f.bytes AS INT) AS f
    FROM "obdd/defaults" a JOIN "obdd/defaults" b ON b.material = a.material AND b.metric = 'wdl' AND b.codec = 'obdd' AND b.sides = 'both' AND b.freedom = 'all'
      JOIN "obdd/defaults" f ON f.material = a.material AND f.metric = 'wdl' AND f.codec = 'obdd' AND f.freedom = 'all+check'
      JOIN "obdd/defaults" c ON c.material = a.material AND c.metric = 'wdl' AND c.codec = 'obdd' AND c.sides = 'joint'
      JOIN "syzygy/recompressed" y ON y.ending = a.material AND y.metric = 'wdl50'
    WHERE a.metric = 'wdl' AND a.codec = 'repair');
