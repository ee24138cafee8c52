-- What was reached, beside the figures of others.
SELECT '| what | beside it | here |';
SELECT '|---|---|---|';
SELECT printf ('| WDL, 35 endings with 3 and 4 men | Syzygy %,d | %,d, %.2f of it |', sum (syzygy_bytes), sum (optimal_bytes),
               1.0 * sum (optimal_bytes) / sum (syzygy_bytes)) FROM "repair/wdl-3-4";
SELECT printf ('| WDL, the endings that Kristensen 2005 prints | diagrams %,d | %,d |', sum (k.wdl), sum (optimal_bytes))
FROM "repair/wdl-3-4" JOIN "obdd/kristensen" k ON k.ending = material WHERE k.wdl <> '';
SELECT printf ('| WDL, KRvKP | Syzygy %,d | %,d |', syzygy_bytes, optimal_bytes) FROM "repair/wdl-3-4" WHERE material = 'KRvKP';
SELECT printf ('| WDL, %d endings with 5 men | Syzygy %,d | %,d, %.2f of it |', count (*), sum (syzygy_bytes), sum (bytes),
               1.0 * sum (bytes) / sum (syzygy_bytes)) FROM "repair/wdl-5";
SELECT printf ('| WDL, one side to move, 35 endings | both sides %,d | %,d |', (SELECT sum (optimal_bytes) FROM "repair/wdl-3-4"),
               sum (optimal_bytes)) FROM "repair/wdl-one-sided-3-4";
SELECT printf ('| WDL, RE-PAIR by LZMA at 16 kB with no freedom (streams) | more than 2 times smaller (7 men) | %.1f times smaller, %.1f with a cheap parse |',
               1.0 * (SELECT sum (bytes) FROM "staircase/staircase" WHERE metric = 'wdl' AND "group" LIKE '%-lzma')
                 / (SELECT sum (optimal_bytes) FROM "repair/wdl-3-4"),
               1.0 * (SELECT sum (bytes) FROM "staircase/staircase" WHERE metric = 'wdl' AND "group" LIKE '%-lzma')
                 / (SELECT sum (bytes) FROM "repair/wdl-3-4"));
SELECT printf ('| DTM, algorithm 2 by nothing bound, %d endings with 5 men | 0.830 (all 110) | %.3f |', count (*), 1.0 * sum (alg2) / sum (without))
FROM "repair/table1-5";
SELECT printf ('| DTM, algorithm 2 by nothing bound, %d endings with 4 men | | %.3f |', count (*), 1.0 * sum (alg2) / sum (without)) FROM "repair/table1";
SELECT printf ('| DTM in blocks of 1 kB by LZMA at 16 kB, the same freedom | 25 %% smaller | RE-PAIR %.0f %% larger, `trees` %.0f %% smaller |',
               100.0 * sum (repair_left_bytes) / sum (lzma_left_bytes) - 100, 100 - 100.0 * sum (trees_bytes) / sum (lzma_left_bytes))
FROM "repair/dtm-3-4";
SELECT printf ('| orders of the men, worst by best, all sides together | 2 to 3 times | %.1f times |', 1.0 * sum (worst_bytes) / sum (best_bytes))
FROM "repair/orders-wdl";
