-- What every order of the men takes (WDL, each side to move), and whether the best ones have a common rule.
CREATE TEMP VIEW o AS SELECT *, 1.0 * worst_bytes / best_bytes AS times FROM "repair/orders-wdl";
CREATE TEMP VIEW large AS SELECT *, row_number () OVER (ORDER BY times) AS rank, count (*) OVER () AS n FROM o WHERE best_bytes + 0 > 1000;
SELECT printf ('* **All %d streams together**: best order %,d bytes, mean %,d, worst %,d. The best order takes %.0f %% less than the mean (Zakharov et al.: 25 to 30 %%), the worst is %.1f times as large (Zakharov et al.: 2 to 3 times for some endings).',
  count (*), sum (best_bytes), sum (mean_bytes), sum (worst_bytes), 100 - 100.0 * sum (best_bytes) / sum (mean_bytes),
  1.0 * sum (worst_bytes) / sum (best_bytes)) FROM o;
SELECT printf ('* **Of the %d streams above 1,000 bytes** the worst order takes at least twice the best for %d, three times for %d; the median is %.1f, the least %.1f.',
  count (*), sum (times >= 2), sum (times >= 3), (SELECT avg (times) FROM large WHERE rank IN ((n + 1) / 2, (n + 2) / 2)), min (times)) FROM large;
SELECT printf ('* **The extreme** is %s with %s to move: %,d bytes in the order %s, %,d in %s, %.0f times as many.', "table",
  iif (side = 'w', 'White', 'Black'), best_bytes, best_order, worst_bytes, worst_order, times) FROM o WHERE best_bytes + 0 > 300 ORDER BY times DESC LIMIT 1;
-- a man's letter: capitals are White's; the stronger side is White in every name
CREATE TEMP VIEW r AS SELECT *, replace (replace (replace (best_order, '!', ''), '(', ''), ')', '') AS men, "table" LIKE '%P%' AS pawns FROM large;
SELECT printf ('* **No simple rule describes the best order.** With pawns (%d streams) a pawn stands first in %d and a king last in %d. Without pawns (%d streams) a man of the weaker side stands first in %d, and White''s piece stands last in %d. `papers/orders` fits a rule to all orders instead of the best ones.',
  sum (pawns), sum (pawns AND substr (men, 1, 1) IN ('P', 'p')), sum (pawns AND substr (men, -1) IN ('K', 'k')),
  sum (NOT pawns), sum (NOT pawns AND substr (men, 1, 1) = lower (substr (men, 1, 1)) AND substr (men, 1, 1) <> 'k'),
  sum (NOT pawns AND substr (men, -1) IN ('Q', 'R', 'B', 'N'))) FROM r;
SELECT printf ('* **DTM** (%d endings): all streams above 300 bytes together take %,d bytes in the best orders, %.0f %% less than the mean; the worst is %.2f times the best.',
  count (DISTINCT "table"), sum (best_bytes), 100 - 100.0 * sum (best_bytes) / sum (mean_bytes), 1.0 * sum (worst_bytes) / sum (best_bytes))
FROM "repair/orders-dtm" WHERE best_bytes + 0 > 300;
