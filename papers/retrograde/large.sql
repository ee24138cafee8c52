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
SELECT printf ('* **Balancing pays in %d of %d cases** by a hundredth or more with the best of the three intervals, and takes longer by that in %d: %s.', sum (balanced < 0.99 * s), count (*), sum (balanced > 1.01 * s),
  (SELECT group_concat (printf ('%s on %,d ranks, each state for %d: %.2f of the time', iif (mixing = 'default', 'grains of 4096', iif (mixing = 'plain', 'plain ranges', 'grains of ' || mixing)), ranks, scale, balanced / s), '; ')
    FROM best WHERE balanced < 0.99 * s)) FROM best;
SELECT printf ('* **Flags are what ends the gain of more ranks.** On 65,536 ranks the flags alone are %.3f of all messages, and the exchange takes %.3f of the time; the least time of %s is %.3g s, on %,d ranks, where one rank takes %.3g s by the same times.',
  1.0 * 65536 * 65535 * (SELECT min (iterations + 0) FROM "retrograde/ranks" r WHERE r.ending = e.ending) / (SELECT messages FROM w WHERE mixing = 'default' AND scale = 1 AND ranks = 65536),
  (SELECT x / s FROM w WHERE mixing = 'default' AND scale = 1 AND ranks = 65536), e.ending,
  (SELECT min (s) FROM w WHERE mixing = 'default' AND scale = 1), (SELECT ranks FROM w WHERE mixing = 'default' AND scale = 1 ORDER BY s LIMIT 1),
  (SELECT max (single) FROM w WHERE mixing = 'default' AND scale = 1)) FROM (SELECT DISTINCT ending FROM w) e;
