-- The same with 5 men: 15 endings of two equal men against one, without pawns.
SELECT '| | without | algorithm 1 | algorithm 2 | `edges:8` |';
SELECT '|---|---:|---:|---:|---:|';
SELECT printf ('| %s | %,d | %,d = %.3f | %,d = %.3f | %,d = %.3f |', "table", without, alg1, 1.0 * alg1 / without, alg2, 1.0 * alg2 / without, edges,
               1.0 * edges / without) FROM "repair/table1-5" ORDER BY "table";
SELECT printf ('| **all %d** | %,d | %,d = **%.3f** | %,d = **%.3f** | %,d = **%.3f** |', count (*), sum (without), sum (alg1),
               1.0 * sum (alg1) / sum (without), sum (alg2), 1.0 * sum (alg2) / sum (without), sum (edges), 1.0 * sum (edges) / sum (without))
FROM "repair/table1-5";
SELECT '| Zakharov et al., all with 5 men | 5.82 GB | 4.93 GB = 0.847 | 4.83 GB = 0.830 | |';
