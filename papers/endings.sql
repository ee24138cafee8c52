-- WDL of some endings.
SELECT '| WDL, one ending | RE-PAIR | diagram | Syzygy |';
SELECT '|---|---:|---:|---:|';
SELECT printf ('| %s | %,d | %,d | %,d |', r.material, r.optimal_bytes, o.bytes, r.syzygy_bytes) FROM "repair/wdl-3-4" r JOIN "obdd/wdl-3-4" o USING (material)
WHERE material IN ('KRvKP', 'KPvKP', 'KQvKR', 'KQvKQ') ORDER BY r.syzygy_bytes + 0 DESC;
SELECT printf ('| %s | %,d | %,d | %,d |', r.material, r.bytes, o.bytes, r.syzygy_bytes) FROM "repair/wdl-5" r JOIN "obdd/five" o ON o.ending = r.material AND o.metric = 'wdl'
ORDER BY r.syzygy_bytes + 0;
SELECT '';
SELECT printf ('Not every table is the smallest known: EgmProbe 2.0 stores %s in %,d bytes.', ending, egmprobe_wdl) FROM "obdd/kristensen" WHERE ending = 'KQvKQ';
