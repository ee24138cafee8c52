-- How fast the generator solves on one core.
SELECT '| ending | slots | start, s | iterations, s | CPU s | million slots / CPU s | marks | million marks / s of iterations | goal 6.2 |';
SELECT '|---|---:|---:|---:|---:|---:|---:|---:|---|';
SELECT printf ('| %s | %,d | %.1f | %.1f | %.1f | **%.1f** | %,d | %.0f | %s |', ending, states, init_seconds, iterate_seconds, cpu_seconds,
  1.0 * states / cpu_seconds / 1e6, marks, 1.0 * marks / iterate_seconds / 1e6, iif (1.0 * states / cpu_seconds >= 6.2e6, 'reached', 'missed')) FROM "retrograde/speed";
SELECT '';
SELECT DISTINCT printf ('Measured at commit %s: %s.', "commit", machine) FROM "retrograde/speed";
