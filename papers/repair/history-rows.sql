-- title: Bytes of LZMA blocks, both sides to move: two groups of papers/published/measure.conf as history.csv. A cell may stand in both.

SELECT "table", block, sum (bytes) AS bytes
FROM (SELECT DISTINCT "table", block, side, bytes FROM cell WHERE "group" IN ('history', 'block-size')) GROUP BY 1, 2 ORDER BY 1, 2 DESC
