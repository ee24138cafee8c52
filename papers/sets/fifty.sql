-- WDL50, and DTZ50 of one side to move, of endings with 5 men beside Syzygy's two files.
CREATE TEMP TABLE f AS SELECT w.material AS ending, w.bytes + 0 AS w, z.bytes + 0 AS z, s.wdl + 0 AS sw, s.dtz + 0 AS sz, w.material LIKE '%P%' AS pawns
  FROM "sets/wdl50-3-5" w JOIN "sets/dtz50-one-3-5" z USING (material) JOIN "sets/syzygy" s ON s.ending = w.material WHERE length (w.material) = 6;
SELECT '| ending | WDL50 | DTZ50 | together | Syzygy''s `.rtbw` | `.rtbz` | together | share |';
SELECT '|---|---:|---:|---:|---:|---:|---:|---:|';
SELECT printf ('| %s | %,d | %,d | %,d | %,d | %,d | %,d | %.2f |', ending, w, z, w + z, sw, sz, sw + sz, 1.0 * (w + z) / (sw + sz)) FROM f ORDER BY pawns, ending;
SELECT printf ('| **all %d%s** | %,d | %,d | %,d | %,d | %,d | %,d | **%.2f** |', count (*), iif (pawns, ' with pawns', ' without pawns'), sum (w), sum (z), sum (w + z), sum (sw), sum (sz),
  sum (sw + sz), 1.0 * sum (w + z) / sum (sw + sz)) FROM f GROUP BY pawns;
