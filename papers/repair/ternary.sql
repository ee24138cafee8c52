-- Access to ternary tables (WDL) beside full ones (DTM).
CREATE TEMP VIEW t AS SELECT w.codec AS codec, w.block AS block, 1.0 * d.get_ns / w.get_ns AS get, 1.0 * d.probe_ns / w.probe_ns AS probe FROM "repair/ternary" w
  JOIN "repair/ternary" d ON w.metric = 'wdl' AND d.metric = 'dtm' AND d."table" = w."table" AND d.codec = w.codec AND d.block = w.block;
CREATE TEMP VIEW m AS SELECT codec, block, exp (avg (ln (get))) AS get, exp (avg (ln (probe))) AS probe, min (probe) AS least, max (probe) AS most FROM t GROUP BY 1, 2;
SELECT printf ('* **The ternary table is several times as fast**, as Zakharov et al. say: a probe of DTM takes %.1f times as long as one of WDL by RE-PAIR in blocks of 128 bytes (geometric mean; %.1f to %.1f) and %.1f times by LZMA in blocks of 16 kB (%.1f to %.1f). A slot alone takes %.1f and %.1f times as long.',
  r.probe, r.least, r.most, l.probe, l.least, l.most, r.get, l.get) FROM m r JOIN m l ON r.codec = 'repair' AND r.block = 128 AND l.codec = 'lzma' AND l.block = 16384;
SELECT printf ('* Other programs used %.1f to %.1f of the two cores meanwhile: the times may be too long, their ratios stand within the bounds.', min (1.0 * busy_cores), max (1.0 * busy_cores)) FROM "repair/ternary";
