-- What estimates by samples miss by.
CREATE TEMP TABLE e AS SELECT upper (metric) AS metric, length (ending) - 1 AS men, ending, bytes + 0 AS bytes, estimated + 0 AS guess, low + 0 AS low,
  high + 0 AS high, cpu_s + 0 AS cpu, estimated_s + 0 AS guess_s, nullif (memory, '') + 0 AS memory, estimated_memory + 0 AS guess_memory, looked_s + 0 AS looked
  FROM "sets/samples";
SELECT '| metric | men | endings | bytes told, of those made | of files of 500 bytes and more: within a quarter | held by the bounds | the furthest off | time told, of that taken | from 0.3 s on within a quarter | memory within a quarter | time of the estimate |';
SELECT '|---|---|---:|---:|---:|---:|---|---:|---:|---:|---:|';
SELECT printf ('| %s | %s | %d | %.2f | %d of %d | %d | %s, %.2f | %.2f | %d of %d | %d of %d | %.2f |', metric, iif (men < 5, '3, 4', men), count (*),
  1.0 * sum (guess) / sum (bytes), sum (bytes >= 500 AND 1.0 * guess / bytes BETWEEN .75 AND 1.25), sum (bytes >= 500),
  sum (bytes >= 500 AND bytes BETWEEN low AND high),
  (SELECT ending FROM e f WHERE f.metric = e.metric AND (f.men < 5) = (e.men < 5) AND bytes >= 500 ORDER BY abs (ln (1.0 * guess / bytes)) DESC LIMIT 1),
  (SELECT 1.0 * guess / bytes FROM e f WHERE f.metric = e.metric AND (f.men < 5) = (e.men < 5) AND bytes >= 500 ORDER BY abs (ln (1.0 * guess / bytes)) DESC LIMIT 1),
  sum (guess_s) / sum (cpu), sum (cpu >= .3 AND guess_s / cpu BETWEEN .75 AND 1.25), sum (cpu >= .3),
  sum (memory IS NOT NULL AND 1.0 * guess_memory / memory BETWEEN .75 AND 1.25), count (memory), sum (looked) / sum (cpu))
  FROM e GROUP BY metric, men < 5 ORDER BY metric DESC, men;
SELECT '';
SELECT '| ending | bytes | told | share | CPU-s | told | share | MB | told | the estimate took, CPU-s |';
SELECT '|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|';
SELECT printf ('| %s | %,d | %,d | %.2f | %.0f | %.0f | %.2f | %s | %.0f | %.0f |', ending, bytes, guess, 1.0 * guess / bytes, cpu, guess_s, guess_s / cpu,
  iif (memory IS NULL, '', printf ('%.0f', memory / 1e6)), guess_memory / 1e6, looked) FROM e WHERE men = 5 ORDER BY ending;
