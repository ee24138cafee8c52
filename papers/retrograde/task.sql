-- The task of the simulation beside the generator's own.
CREATE TEMP VIEW t AS SELECT 1e6 * sum (cpu_seconds) / sum (states) AS us FROM "retrograde/speed" WHERE solver = 'parallel';
SELECT printf ('* **A task of 1 us is a guess, and a slow one.** The generator takes %.3f us a state (`speed.csv`, all endings), %.0f times less. At its speed all loads are so much shorter, while messages and reports take as long as before: an iteration on N ranks is then like one on %.0f N ranks above. What the figures say of 64 to 512 ranks is then true of %.0f to %.0f, and on thousands of ranks balancing with q = 1 s has nothing to do; mixing alone remains. "Thousands of ranks" has measured times.',
  us, 1 / us, 1 / us, 64 * us, 512 * us) FROM t;
