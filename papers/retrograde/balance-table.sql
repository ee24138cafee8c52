-- Efficiency of load balancing, a table for each interval of reports; by the model: the predicted speedup by the ranks.
CREATE TEMP VIEW b AS SELECT rowid AS place, interval, ranks, variant, efficiency, 1.0 * predicted_speedup / ranks AS model FROM "retrograde/balance";
CREATE TEMP VIEW t AS SELECT p.place, p.interval, printf ('| %s | %.3f | %.3f | %.3f | %.3f | %.3f | %.3f |', ranks, p.efficiency, m.efficiency, b.efficiency, b.model, t.efficiency, t.model) AS line
FROM b p JOIN b m USING (interval, ranks) JOIN b USING (interval, ranks) JOIN b t USING (interval, ranks)
WHERE p.variant = 'plain' AND m.variant = 'mixed' AND b.variant = 'balanced' AND t.variant = 'mixed+balanced' ORDER BY p.place;
SELECT printf ('| q = %s s, ranks | plain | mixed | balanced | by the model | both | by the model |', interval) || char (10) || '|---:|---:|---:|---:|---:|---:|---:|' || char (10)
  || group_concat (line, char (10)) || char (10)
FROM t GROUP BY interval ORDER BY min (place);
