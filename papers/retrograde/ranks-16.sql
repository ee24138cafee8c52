-- Sixteen cores: an ending solved by 1 to 16 ranks, each with a core of its own, and the simulation of the iterations.
SELECT '| ranks | iterations, s | times as fast as one | CPU s, first rank | simulated s | simulated by real |';
SELECT '|---:|---:|---:|---:|---:|---:|';
SELECT printf ('| %s | %.2f | %.1f | %.2f | %.2f | %.2f |', n.ranks, n.seconds, one.seconds / n.seconds, n.cpu_seconds, n.simulated_seconds,
               n.simulated_seconds / n.seconds)
  FROM "retrograde/ranks-16" n JOIN "retrograde/ranks-16" one ON one.ranks = '1' ORDER BY n.ranks + 0;
SELECT '';
SELECT printf ('**The simulation is right within %.0f %%** on cores that nobody else uses: it takes %.2f to %.2f of the real time. All %d iterations of the %d runs are alike in states, marks, messages and bytes.',
               ceil (100 * max (abs (simulated_seconds / seconds - 1))), min (simulated_seconds / seconds), max (simulated_seconds / seconds), sum (alike), count (*))
  FROM "retrograde/ranks-16" HAVING sum (alike) = sum (iterations);
SELECT '';
SELECT '| ranks | start, s | iterations, s | coding, s | all, s | times as fast as one | bytes of memory |';
SELECT '|---:|---:|---:|---:|---:|---:|---:|';
SELECT printf ('| %s | %.2f | %.2f | %.2f | %.2f | %.1f | %,d |', n.ranks, n.init_seconds, n.iterate_seconds, n.coding_seconds, n.seconds,
               one.seconds / n.seconds, n.resident_bytes)
  FROM "retrograde/solve-16" n JOIN "retrograde/solve-16" one ON one.ranks = '1' ORDER BY n.ranks + 0;
