-- title: Bytes of the streams of all sides to move, estimated from parts, with bounds: the rows of table1.conf as table1.csv. slots, part_slots: of
--   the whole and of the part; without, alg1, alg2: those of Zakharov et al. (captures bound); edges: ours.

WITH w AS (SELECT "table", setting (settings, 'initial') AS way, sum (bytes) AS bytes, sum (low_bytes) AS low, sum (high_bytes) AS high, sum (slots) AS slots,
    sum (coded_slots) AS part_slots, count (*) AS sides FROM coded GROUP BY 1, 2),
  b AS (SELECT *, min (sides) OVER t = max (sides) OVER t AND count (*) OVER t = 4 AS whole FROM w WINDOW t AS (PARTITION BY "table"))
SELECT "table", max (slots) AS slots, max (part_slots) AS part_slots,
  max (bytes) FILTER (WHERE way = 'full') AS without, max (low) FILTER (WHERE way = 'full') AS without_low, max (high) FILTER (WHERE way = 'full') AS without_high,
  max (bytes) FILTER (WHERE way = 'alg1+full') AS alg1, max (low) FILTER (WHERE way = 'alg1+full') AS alg1_low, max (high) FILTER (WHERE way = 'alg1+full') AS alg1_high,
  max (bytes) FILTER (WHERE way = 'alg2+full') AS alg2, max (low) FILTER (WHERE way = 'alg2+full') AS alg2_low, max (high) FILTER (WHERE way = 'alg2+full') AS alg2_high,
  max (bytes) FILTER (WHERE way = 'edges:8') AS edges, max (low) FILTER (WHERE way = 'edges:8') AS edges_low, max (high) FILTER (WHERE way = 'edges:8') AS edges_high
FROM b WHERE whole GROUP BY 1 ORDER BY 1
