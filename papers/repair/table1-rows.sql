-- title: Bytes of the streams of all sides to move, nothing where a side is missing: the rows of table1.conf as table1.csv. without, alg1, alg2:
--   those of Zakharov et al. (captures bound); edges: ours; promotion_...: promotions bound, too.

WITH w AS (SELECT "table", iif ("group" LIKE '%promotion%', 'promotion ', '') || setting (settings, 'initial') AS way, sum (bytes) AS bytes,
    count (*) AS sides FROM cell WHERE "group" NOT LIKE '%probe%' GROUP BY 1, 2),
  b AS (SELECT *, sides = max (sides) OVER (PARTITION BY "table") AS whole FROM w)
SELECT "table", max (bytes) FILTER (WHERE way = 'full') AS without,
  max (bytes) FILTER (WHERE way = 'alg1+full') AS alg1,
  max (bytes) FILTER (WHERE way = 'alg2+full') AS alg2,
  max (bytes) FILTER (WHERE way = 'edges:8') AS edges,
  max (bytes) FILTER (WHERE way = 'promotion alg2+full') AS promotion_alg2,
  max (bytes) FILTER (WHERE way = 'promotion left') AS promotion_left,
  max (bytes) FILTER (WHERE way = 'promotion edges:8') AS promotion_edges,
  max (bytes) FILTER (WHERE way = 'promotion larger:8') AS promotion_larger
FROM b WHERE whole GROUP BY 1 ORDER BY 1
