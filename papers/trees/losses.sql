-- All DTM tables that store losses only, as forests and as diagrams.
SELECT printf ('The %d files take %,d bytes as forests, %,d as diagrams, and %,d if each ending has the smaller of the two, which diagrams are in %d of them: %s.',
  count (*), sum (forest_bytes), sum (diagram_bytes), sum (min (1 * forest_bytes, 1 * diagram_bytes)), sum (1 * diagram_bytes < 1 * forest_bytes),
  group_concat (iif (1 * diagram_bytes < 1 * forest_bytes, ending, NULL), ', '))
FROM (SELECT * FROM "trees/losses" ORDER BY rowid);
