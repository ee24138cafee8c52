-- Tight against simple index: the table above, in words.
CREATE TEMP VIEW i AS SELECT "table" AS t, metric, sum (tight_bytes) AS tight, sum (simple_bytes) AS simple, sum (tight_slots) AS ts, sum (simple_slots) AS ss
FROM "repair/index" GROUP BY 1, 2 HAVING sum (tight_bytes) > 1000;
SELECT printf ('Zakharov et al. are right: arrays of %.2f times the slots give WDL files of %.2f and DTM files of %.2f times the bytes. WDL with pawns gains most (%.2f).',
  1.0 * sum (ss) / sum (ts), sum (iif (metric = 'wdl', simple, 0)) * 1.0 / sum (iif (metric = 'wdl', tight, 0)),
  sum (iif (metric = 'dtm', simple, 0)) * 1.0 / sum (iif (metric = 'dtm', tight, 0)),
  sum (iif (metric = 'wdl' AND t LIKE '%P%', simple, 0)) * 1.0 / sum (iif (metric = 'wdl' AND t LIKE '%P%', tight, 0))) FROM i;
