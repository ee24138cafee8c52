-- Probes of KRvKP while no page of the file is in memory, by blocks.
SELECT '| codec, block | file | warm, us | page: cold, us | 90 % | pages | read ahead: cold, us | 90 % | pages |';
SELECT '|---|---:|---:|---:|---:|---:|---:|---:|---:|';
SELECT printf ('| `%s`, %d | %,d | %.1f | %.0f | %.0f | %.1f | %.0f | %.0f | %.0f |', codec, block, p.file_bytes, p.warm_us,
  p.cold_us, p.cold_90_us, p.pages, r.cold_us, r.cold_90_us, r.pages)
FROM "repair/cold" p JOIN "repair/cold" r USING (codec, block)
WHERE p.reading = 'page' AND r.reading = 'readahead' ORDER BY p.rowid;
