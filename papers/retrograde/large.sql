-- Thousands of ranks with measured times: without balancing by the way states are dealt out; then what balancing takes.
CREATE TEMP VIEW l AS SELECT ending, mixing, scale + 0 AS scale, interval + 0 AS q, ranks + 0 AS ranks, variant, states * 1.0 AS states, mark_messages * 1.0 AS messages,
  mark_bytes * 1.0 AS bytes, seconds * 1.0 AS s, seconds * efficiency * ranks AS single, exchange_seconds * 1.0 AS x, transfers + 0 AS transfers FROM "retrograde/large";
CREATE TEMP VIEW w AS SELECT DISTINCT ending, mixing, scale, ranks, messages, bytes, s, x, single FROM l WHERE variant = 'without';
SELECT '| ending | ranks | plain, s | grains of 4096, s | of 64, s | of 1, s | of it exchange | messages | bytes | messages that are flags |';
SELECT '|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|';
SELECT printf ('| %s | %,d | %.3g | %.3g | %.3g | %.3g | %.2f | %.1e | %.1e | %.2f |', d.ending, d.ranks, p.s, d.s, g.s, o.s, d.x / d.s, d.messages, d.bytes,
  1.0 * d.ranks * (d.ranks - 1) * i.n / d.messages)
  FROM w d JOIN w p USING (ending, scale, ranks) JOIN w g USING (ending, scale, ranks) JOIN w o USING (ending, scale, ranks)
  JOIN (SELECT ending, min (iterations + 0) AS n FROM "retrograde/ranks" GROUP BY ending) i USING (ending)
  WHERE d.mixing = 'default' AND p.mixing = 'plain' AND g.mixing = '64' AND o.mixing = '1' AND scale = 1 ORDER BY d.ending, d.ranks;
SELECT '';
SELECT '| ending | each state stands for | ranks | dealt out | without, s | q = 1 s | q = 0.01 s | q = 0.001 s | transfers, q = 0.001 s |';
SELECT '|---|---:|---:|---|---:|---:|---:|---:|---:|';
CREATE TEMP VIEW b AS SELECT * FROM l WHERE variant = 'balanced';
SELECT printf ('| %s | %d | %,d | %s | %.3g | %.2f | %.2f | %.2f | %,d |', w.ending, w.scale, w.ranks, iif (w.mixing = 'default', 'grains of 4096', w.mixing), w.s,
  a.s / w.s, c.s / w.s, d.s / w.s, d.transfers)
  FROM w JOIN b a USING (ending, mixing, scale, ranks) JOIN b c USING (ending, mixing, scale, ranks) JOIN b d USING (ending, mixing, scale, ranks)
  WHERE a.q = 1 AND c.q = 0.01 AND d.q = 0.001 AND w.mixing IN ('plain', 'default') ORDER BY w.ending, w.scale, w.mixing DESC, w.ranks;
SELECT '';
CREATE TEMP VIEW best AS SELECT w.ending, w.mixing, w.scale, w.ranks, w.s AS s, min (b.s) AS balanced FROM w JOIN b USING (ending, mixing, scale, ranks)
  GROUP BY w.ending, w.mixing, w.scale, w.ranks;
SELECT printf ('* **Mixing matters most**: up to 256 ranks plain ranges take %.1f to %.1f times as long as grains of 4096. Grains of 64 take %.2f to %.2f of the time of these up to 1,024 ranks. The default stays 4096: what the start takes with them is not simulated, and with pawns, whose rows have 48 states, grains of 64 were not tried.',
  min (iif (w.ranks <= 256, p.s / w.s, NULL)), max (iif (w.ranks <= 256, p.s / w.s, NULL)), min (g.s / w.s), max (g.s / w.s))
  FROM w JOIN w p USING (ending, scale, ranks) JOIN w g USING (ending, scale, ranks) WHERE w.mixing = 'default' AND p.mixing = 'plain' AND g.mixing = '64' AND scale = 1 AND w.ranks <= 1024;
SELECT printf ('* **Balancing** with the best interval ends sooner, by a hundredth or more, in %d of %d cases and later in %d. With 5 men and grains it never pays (%.2f to %.2f of the time at best): an iteration is over in a millisecond, and to end balancing takes messages through the tree of groups. With one man more it takes %.2f to %.2f of the time on grains of 4096, and with grains of 64 it has little to do (%.2f to %.2f).',
  sum (balanced < 0.99 * s), count (*), sum (balanced > 1.01 * s),
  min (iif (mixing NOT IN ('plain') AND scale = 1, balanced / s, NULL)), max (iif (mixing NOT IN ('plain') AND scale = 1, balanced / s, NULL)),
  min (iif (mixing = 'default' AND scale = 64, balanced / s, NULL)), max (iif (mixing = 'default' AND scale = 64, balanced / s, NULL)),
  min (iif (mixing = '64' AND scale = 64, balanced / s, NULL)), max (iif (mixing = '64' AND scale = 64, balanced / s, NULL))) FROM best;
SELECT printf ('* **The interval**: where balancing pays, reports every 0.001 s take %.2f of the time of reports every 0.01 s in the geometric mean, and those every 1 s do nothing. A millisecond is now the default of `--balance`.',
  exp (avg (ln (d.s / c.s)))) FROM b c JOIN b d USING (ending, mixing, scale, ranks) JOIN best USING (ending, mixing, scale, ranks) WHERE c.q = 0.01 AND d.q = 0.001 AND balanced < 0.99 * best.s;
SELECT printf ('* **Flags are what ends the gain of more ranks.** On 65,536 ranks the flags alone are %.3f of all messages, and the exchange takes %.3f of the time; the least time of %s is %.3g s, on %,d ranks, where one rank takes %.3g s by the same times.',
  1.0 * 65536 * 65535 * (SELECT min (iterations + 0) FROM "retrograde/ranks" r WHERE r.ending = e.ending) / (SELECT messages FROM w WHERE mixing = 'default' AND scale = 1 AND ranks = 65536),
  (SELECT x / s FROM w WHERE mixing = 'default' AND scale = 1 AND ranks = 65536), e.ending,
  (SELECT min (s) FROM w WHERE mixing = 'default' AND scale = 1), (SELECT ranks FROM w WHERE mixing = 'default' AND scale = 1 ORDER BY s LIMIT 1),
  (SELECT max (single) FROM w WHERE mixing = 'default' AND scale = 1)) FROM (SELECT DISTINCT ending FROM w) e;
