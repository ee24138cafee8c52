-- Table 1 of Zakharov et al. 2015 with 4 men: bounds by captures, completed before coding; shares of what nothing bound takes.
CREATE TEMP VIEW t AS SELECT *, "table" IN ('KQvKR', 'KQvKB', 'KQvKN', 'KRvKB', 'KRvKN', 'KQvKQ', 'KRvKR') AS pieces FROM "repair/table1";
SELECT '| | without (1.8) | algorithm 1 | algorithm 2 | `edges:8` |';
SELECT '|---|---:|---:|---:|---:|';
SELECT printf ('| all %d endings, captures bound | %,d | %,d = %.3f | %,d = %.3f | %,d = **%.3f** |', count (*), sum (without), sum (alg1),
               1.0 * sum (alg1) / sum (without), sum (alg2), 1.0 * sum (alg2) / sum (without), sum (edges), 1.0 * sum (edges) / sum (without)) FROM t;
SELECT printf ('| the %d with a queen or a rook against a piece | %,d | %,d = %.3f | %,d = %.3f | %,d = **%.3f** |', count (*), sum (without), sum (alg1),
               1.0 * sum (alg1) / sum (without), sum (alg2), 1.0 * sum (alg2) / sum (without), sum (edges), 1.0 * sum (edges) / sum (without))
FROM t WHERE pieces;
SELECT '| Zakharov et al., all with 5 men | 5.82 GB | 4.93 GB = 0.847 | 4.83 GB = 0.830 | |';
SELECT '';
SELECT printf ('Where promotions bind, too, algorithm 2 takes %.3f, `left` %.3f, `edges:8` %.3f and `larger:8` %.3f of the bytes without any bound.',
               1.0 * sum (promotion_alg2) / sum (without), 1.0 * sum (promotion_left) / sum (without), 1.0 * sum (promotion_edges) / sum (without),
               1.0 * sum (promotion_larger) / sum (without)) FROM t;
