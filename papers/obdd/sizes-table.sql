-- Whole files, both sides to move; Kristensen's bytes where it prints the ending, and ours as a share of them; beside them those of EgmProbe
-- 2.0 and Nalimov that Kristensen prints.
CREATE TEMP VIEW ours AS SELECT material AS ending, w.bytes + 0 AS wdl, d.bytes + 0 AS dtm FROM "obdd/wdl-3-4" w JOIN "obdd/dtm-3-4" d USING (material);
CREATE TEMP VIEW o AS SELECT * FROM ours UNION ALL SELECT 'all', sum (wdl), sum (dtm) FROM ours;
SELECT '| ending | WDL | Kristensen | share | EgmProbe | DTM | Kristensen | share | Nalimov |';
SELECT '|---|---:|---:|---:|---:|---:|---:|---:|---:|';
SELECT printf ('| %s | %d |', ending, o.wdl) || iif (coalesce (k.wdl, '') = '', ' | | |', printf (' %s | %.2f |%s |', k.wdl, 1.0 * o.wdl / k.wdl, iif (egmprobe_wdl = '', '', ' ' || egmprobe_wdl)))
  || printf (' %d |', o.dtm) || iif (coalesce (k.dtm, '') = '', ' | | |', printf (' %s | %.2f | %s |', k.dtm, 1.0 * o.dtm / k.dtm, nalimov_dtm))
FROM o LEFT JOIN "obdd/kristensen" k USING (ending) ORDER BY ending = 'all', ending;
