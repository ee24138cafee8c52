-- What the steps say: gains are geometric means over the endings of the bytes of one step by those of another.
CREATE TEMP VIEW s AS SELECT metric, iif ("group" GLOB '[0-9]*', substr ("group", instr ("group", '-') + 1), "group") AS step, "table" AS t, sum (bytes) AS b FROM "staircase/staircase" GROUP BY 1, 2, 3;
CREATE TEMP VIEW g AS SELECT a.metric, a.step AS before, z.step AS after, exp (avg (ln (1.0 * a.b / z.b))) AS gain, max (1.0 * a.b / z.b) AS most, min (1.0 * a.b / z.b) AS least,
  sum (a.b) AS ab, sum (z.b) AS zb, sum (a.b <> z.b) AS differ, count (*) AS n FROM s a JOIN s z ON z.metric = a.metric AND z.t = a.t GROUP BY 1, 2, 3;
SELECT printf ('* **What is free is most of it**: in WDL impossible positions take off a factor of %.2f, captures another %.2f, promotions %.2f in the mean and up to %.1f where there is a pawn. In DTM freedom gains %.2f, %.2f and %.2f.',
  (SELECT gain FROM g WHERE metric = 'wdl' AND before = 'order' AND after = 'free-wdl'), (SELECT gain FROM g WHERE metric = 'wdl' AND before = 'free-wdl' AND after = 'captures-wdl'),
  (SELECT gain FROM g WHERE metric = 'wdl' AND before = 'captures-wdl' AND after = 'promotions'), (SELECT most FROM g WHERE metric = 'wdl' AND before = 'captures-wdl' AND after = 'promotions'),
  (SELECT gain FROM g WHERE metric = 'dtm' AND before = 'order' AND after = 'free-dtm'), (SELECT gain FROM g WHERE metric = 'dtm' AND before = 'free-dtm' AND after = 'captures-dtm'),
  (SELECT gain FROM g WHERE metric = 'dtm' AND before = 'captures-dtm' AND after = 'promotions'));
SELECT printf ('* The piece order that is best for RE-PAIR with free slots is mostly better for LZMA with no freedom, too (%.2f in WDL, %.2f in DTM), but not always: %.2f at worst.',
  (SELECT gain FROM g WHERE metric = 'wdl' AND before = 'lzma' AND after = 'order'), (SELECT gain FROM g WHERE metric = 'dtm' AND before = 'lzma' AND after = 'order'),
  (SELECT least FROM g WHERE metric = 'wdl' AND before = 'lzma' AND after = 'order'));
SELECT printf ('* The cheapest parse takes off a factor of %.2f of WDL and %.2f of DTM.', (SELECT gain FROM g WHERE metric = 'wdl' AND before = 'initial' AND after = 'parse'),
  (SELECT gain FROM g WHERE metric = 'dtm' AND before = 'initial' AND after = 'parse'));
SELECT printf ('* In DTM trees take %.1f MB where RE-PAIR with the cheapest parse takes %.1f and diagrams take %.1f. Storing losses only brings diagrams of DTM to %.1f MB, most of it in endings where almost all wins are one ply from a stored loss.',
  (SELECT zb / 1e6 FROM g WHERE metric = 'dtm' AND before = 'lzma' AND after = 'trees'), (SELECT zb / 1e6 FROM g WHERE metric = 'dtm' AND before = 'lzma' AND after = 'parse'),
  (SELECT zb / 1e6 FROM g WHERE metric = 'dtm' AND before = 'lzma' AND after = 'diagram'), (SELECT zb / 1e6 FROM g WHERE metric = 'dtm' AND before = 'lzma' AND after = 'losses'));
SELECT printf ('* **The final rule** is a step where it has an effect, behind pairs of definite symbols with no slot filled: `longest` takes off a factor of %.1f in WDL, %.1f in DTM.',
  (SELECT gain FROM g WHERE metric = 'wdl' AND before = 'exact' AND after = 'final'), (SELECT gain FROM g WHERE metric = 'dtm' AND before = 'exact' AND after = 'final'));
SELECT printf ('* **Subdefinite pairs** are most of what RE-PAIR gains where no slot is filled before: all WDL tables together become %.0f times smaller, all DTM tables %.1f times. Where the initial replacement has filled the slots, they bring %.0f %% of WDL: both ideas do the same work, and either alone does nearly all of it (the second two-way table).',
  (SELECT 1.0 * ab / zb FROM g WHERE metric = 'wdl' AND before = 'final' AND after = 'subdefinite'), (SELECT 1.0 * ab / zb FROM g WHERE metric = 'dtm' AND before = 'final' AND after = 'subdefinite'),
  (SELECT 100.0 - 100.0 * zb / ab FROM g WHERE metric = 'wdl' AND before = 'filled-exact' AND after = 'initial'));
SELECT printf ('* **The initial replacement** takes off another %.0f %% of WDL and %.0f %% of DTM behind subdefinite pairs, all tables together, in the piece orders of this sweep, which are those that are best behind it.',
  (SELECT 100.0 - 100.0 * zb / ab FROM g WHERE metric = 'wdl' AND before = 'subdefinite' AND after = 'initial'), (SELECT 100.0 - 100.0 * zb / ab FROM g WHERE metric = 'dtm' AND before = 'subdefinite' AND after = 'initial'));
