-- Our files in per cent of the public ones, the largest public WDL file last: ending, .rtbw, .rtbw by --high, .rtbz.
SELECT printf ('%s %.4f %.4f %.4f', ending, 100.0 * r.bytes / r.public, 100.0 * h.bytes / h.public, 100.0 * z.bytes / z.public)
FROM "syzygy/recompressed" r JOIN "syzygy/recompressed_high" h USING (ending) JOIN "syzygy/exported" z USING (ending) ORDER BY r.public + 0, ending;
