-- WDL of some endings.
SELECT '| WDL, one ending | RE-PAIR | smallest known | Syzygy |';
SELECT '|---|---:|---:|---:|';
SELECT printf ('| %s | %,d | %,d | %,d |', r.material, r.optimal_bytes, b.bytes, r.syzygy_bytes) FROM "repair/wdl-3-4" r JOIN "best-wdl-3-4" b USING (material)
WHERE material IN ('KRvKP', 'KPvKP', 'KQvKR', 'KQvKQ') ORDER BY r.syzygy_bytes + 0 DESC;
SELECT printf ('| %s | %,d | %,d | %,d |', r.material, r.bytes, min (o.bytes + 0, ifnull (b.bytes, o.bytes) + 0), r.syzygy_bytes)
FROM "repair/wdl-5" r JOIN (SELECT ending, min (bytes + 0) AS bytes FROM "obdd/five" WHERE metric = 'wdl' GROUP BY ending) o ON o.ending = r.material LEFT JOIN "best-wdl-5" b USING (material)
ORDER BY r.syzygy_bytes + 0;
SELECT '';
SELECT 'Not every table is the smallest known: EgmProbe 2.0 stores ' || group_concat (printf ('%s in %,d bytes, which takes %,d here', k.ending, k.egmprobe_wdl, b.bytes), ', ') || '.'
FROM "obdd/kristensen" k JOIN "best-wdl-3-4" b ON b.material = k.ending WHERE k.egmprobe_wdl <> '' AND k.egmprobe_wdl + 0 < b.bytes + 0;
