-- The defaults of WDL beside Syzygy's files: in how many endings a codec takes more bytes.
SELECT printf ('Beside Syzygy''s %s bytes of WDL files, RE-PAIR takes more bytes in %d of the %d endings, diagrams in two streams in %d, '
               || 'in one in %d; together RE-PAIR takes %.2f of them, diagrams in two streams %.3f, in one %.3f.', printf ('%,d', SUM (s)), SUM (r > s), COUNT (*), SUM (d > s),
               SUM (j > s), 1.0 * SUM (r) / SUM (s), 1.0 * SUM (d) / SUM (s), 1.0 * SUM (j) / SUM (s))
  FROM (SELECT a.material, CAST (y.public AS INT) AS s, CAST (a.bytes AS INT) AS r, CAST (b.bytes AS INT) AS d, CAST (c.bytes AS INT) AS j
    FROM "obdd/defaults" a JOIN "obdd/defaults" b ON b.material = a.material AND b.metric = 'wdl' AND b.codec = 'obdd' AND b.sides = 'both'
      JOIN "obdd/defaults" c ON c.material = a.material AND c.metric = 'wdl' AND c.codec = 'obdd' AND c.sides = 'joint'
      JOIN "syzygy/recompressed" y ON y.ending = a.material AND y.metric = 'wdl50'
    WHERE a.metric = 'wdl' AND a.codec = 'repair');
