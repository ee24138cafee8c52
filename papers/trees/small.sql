-- Diagrams, and small forests with few slots in a block: bytes and the median of a lookup.
SELECT '| codec | settings | file, bytes | a lookup, us |';
SELECT '|---|---|---:|---:|';
SELECT printf ('| `%s` | `%s` | %,d | %.1f |', codec, settings, file_bytes, lookup_ns / 1000.0) FROM "trees/small" ORDER BY rowid;
SELECT '';
SELECT printf ('Of the forests with a lookup below %d us none is smaller than the diagram with `clusters=64`: the smallest takes %.2f of its '
  || 'bytes and %.0f times as long. The smallest that is faster than %d us takes %.2f of them.', 10, 1.0 * f.bytes / d.file_bytes,
  1.0 * f.ns / d.lookup_ns, 20, 1.0 * g.bytes / d.file_bytes)
FROM "trees/small" d, (SELECT min (1 * file_bytes) AS bytes, lookup_ns AS ns FROM "trees/small" WHERE codec = 'trees' AND 1 * lookup_ns < 10000) f,
  (SELECT min (1 * file_bytes) AS bytes FROM "trees/small" WHERE codec = 'trees' AND 1 * lookup_ns < 20000) g
WHERE d.settings = 'clusters=64' AND f.bytes > 1 * d.file_bytes;
