-- Do larger tables gain more, and does algorithm 2 gain more with each man? (Zakharov et al. 2015, 1.10)
CREATE TEMP TABLE r (set_ TEXT, size REAL, ratio REAL);
INSERT INTO r SELECT 'stairs', a.b, 1.0 * z.b / a.b
FROM (SELECT "table" t, sum (bytes) b FROM "staircase/staircase" WHERE metric = 'dtm' AND "group" LIKE '%-lzma' GROUP BY 1) a
JOIN (SELECT "table" t, sum (bytes) b FROM "staircase/staircase" WHERE metric = 'dtm' AND "group" LIKE '%-initial' GROUP BY 1) z USING (t)
WHERE a.b > 1000;
INSERT INTO r SELECT 'alg2-4', without, 1.0 * alg2 / without FROM "repair/table1" WHERE without > 1000;
INSERT INTO r SELECT 'alg2-5', without, 1.0 * alg2 / without FROM "repair/table1-5";
CREATE TEMP VIEW k AS SELECT *, rank () OVER (PARTITION BY set_ ORDER BY size) x, rank () OVER (PARTITION BY set_ ORDER BY ratio) y,
  count (*) OVER (PARTITION BY set_) n FROM r;
CREATE TEMP VIEW rho AS SELECT set_, max (n) n, 1 - 6.0 * sum ((x - y) * (x - y)) / (max (n) * (max (n) * max (n) - 1)) c FROM k GROUP BY set_;
SELECT printf ('* **Do the largest tables gain most?** Zakharov et al. say so of full tables. Here it is not so: the rank correlation (Spearman) of a table''s size with the bytes that are left of it is %+.2f for RE-PAIR by plain LZMA (DTM, %d endings above 1,000 bytes), %+.2f and %+.2f for algorithm 2 by nothing bound (%d endings with 4 men, %d with 5). Positive says that larger tables gain less.',
  (SELECT c FROM rho WHERE set_ = 'stairs'), (SELECT n FROM rho WHERE set_ = 'stairs'), (SELECT c FROM rho WHERE set_ = 'alg2-4'),
  (SELECT c FROM rho WHERE set_ = 'alg2-5'), (SELECT n FROM rho WHERE set_ = 'alg2-4'), (SELECT n FROM rho WHERE set_ = 'alg2-5'));
SELECT printf ('* **Does algorithm 2 gain more with each man?** Zakharov et al. print 0.830 with 5 men and 0.777 with 6. Here it is %.3f with 4 men (all %d endings) and %.3f with 5 (%d endings without pawns of two equal men against one); the %d endings with 4 men of a piece against a piece, which are the nearest to those, take %.3f. So most of the step from 4 to 5 men is which endings are looked at, and no extrapolation is made from it.',
  (SELECT 1.0 * sum (alg2) / sum (without) FROM "repair/table1"), (SELECT count (*) FROM "repair/table1"),
  (SELECT 1.0 * sum (alg2) / sum (without) FROM "repair/table1-5"), (SELECT count (*) FROM "repair/table1-5"),
  (SELECT count (*) FROM "repair/table1" WHERE "table" LIKE 'K_vK_' AND "table" NOT LIKE '%P%'),
  (SELECT 1.0 * sum (alg2) / sum (without) FROM "repair/table1" WHERE "table" LIKE 'K_vK_' AND "table" NOT LIKE '%P%'));
