-- Slots and probes of WDL and DTM, and how many times as long the latter take, with bounds made of those of both.
CREATE TEMP VIEW t AS SELECT w.rowid AS place, codec, block, "table" AS ending, w.get_ns AS wdl_get, d.get_ns AS dtm_get,
  printf ('%.1f (%.1f to %.1f)', 1.0 * d.get_ns / w.get_ns, 1.0 * d.get_low_ns / w.get_high_ns, 1.0 * d.get_high_ns / w.get_low_ns) AS get,
  w.probe_ns AS wdl_probe, d.probe_ns AS dtm_probe,
  printf ('%.1f (%.1f to %.1f)', 1.0 * d.probe_ns / w.probe_ns, 1.0 * d.probe_low_ns / w.probe_high_ns, 1.0 * d.probe_high_ns / w.probe_low_ns) AS probe
FROM "repair/ternary" w JOIN "repair/ternary" d USING (codec, block, "table") WHERE w.metric = 'wdl' AND d.metric = 'dtm';
SELECT '| codec, block | ending | slot: WDL, ns | DTM, ns | times | probe: WDL, ns | DTM, ns | times |';
SELECT '|---|---|---:|---:|---:|---:|---:|---:|';
SELECT printf ('| `%s`, %s | %s | %,d | %,d | %s | %,d | %,d | %s |', codec, block, ending,
  round (wdl_get), round (dtm_get), get, round (wdl_probe), round (dtm_probe), probe) FROM t ORDER BY place;
