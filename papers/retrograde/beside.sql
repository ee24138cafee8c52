-- CPU seconds beside Syzygy's generator: the least of all turns.
CREATE TEMP VIEW b AS SELECT ending, program, min (rowid) AS place, min (cpu_seconds + 0) AS s FROM "retrograde/beside" GROUP BY 1, 2;
SELECT '| ending | Syzygy''s, CPU s | before, CPU s | now, CPU s | share |';
SELECT '|---|---:|---:|---:|---:|';
SELECT printf ('| %s | %.2f | %.2f | %.2f | **%.2f** |', ending, z.s, f.s, n.s, n.s / z.s)
FROM b z JOIN b f USING (ending) JOIN b n USING (ending) WHERE z.program = 'syzygy' AND f.program = 'before' AND n.program = 'now' ORDER BY z.place;
