-- WDL tables that store one side to move: the smaller of the list's settings and of diagrams in clusters.
CREATE TEMP VIEW o AS SELECT ending, list_bytes + 0 AS l, clusters_bytes + 0 AS c FROM "obdd/one-sided";
SELECT printf ('The %d files take %,d bytes with the settings of the list, %,d as diagrams in up to 64 clusters, and %,d if each ending has the smaller of the two.',
  count (*), sum (l), sum (c), sum (min (l, c))) FROM o;
SELECT '';
SELECT '| ending | bytes |';
SELECT '|---|---:|';
SELECT printf ('| %s | %,d |', ending, min (l, c)) FROM o WHERE min (l, c) >= 1000 ORDER BY min (l, c) DESC;
SELECT printf ('| the other %d | %,d |', count (*), sum (min (l, c))) FROM o WHERE min (l, c) < 1000;
