-- Bytes of each ending's WDL files, the smallest diagrams first: ending, diagram, RE-PAIR, Syzygy, Kristensen's diagram, EgmProbe; "?": not
-- published.
SELECT material, d.bytes, r.optimal_bytes, r.syzygy_bytes, ifnull (nullif (k.wdl, ''), '?'), ifnull (nullif (k.egmprobe_wdl, ''), '?')
FROM "obdd/wdl-3-4" d JOIN "repair/wdl-3-4" r USING (material) LEFT JOIN "obdd/kristensen" k ON k.ending = material ORDER BY d.bytes + 0, material;
