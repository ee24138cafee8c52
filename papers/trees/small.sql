-- Diagrams, and small forests with few slots in a block: bytes and the median of a lookup.
SELECT '| codec | settings | file, bytes | a lookup, us |';
SELECT '|---|---|---:|---:|';
SELECT printf ('| `%s` | `%s` | %,d | %.1f |', codec, settings, file_bytes, lookup_ns / 1000.0) FROM "trees/small" ORDER BY rowid;
SELECT '';
SELECT printf ('The smallest with a lookup below %d us takes %.2f of the bytes of the diagram with `clusters=64` and %.0f times as long (`%s`, `%s`);',
  10, 1.0 * f.file_bytes / d.file_bytes, 1.0 * f.lookup_ns / d.lookup_ns, f.codec, f.settings)
FROM "trees/small" d, (SELECT * FROM "trees/small" WHERE 1 * lookup_ns < 10000 ORDER BY 1 * file_bytes LIMIT 1) f WHERE d.settings = 'clusters=64';
SELECT printf ('below %d us it is %.2f of the bytes (`%s`, `%s`), below %d us %.2f (`%s`, `%s`).',
  5, 1.0 * g.file_bytes / d.file_bytes, g.codec, g.settings, 20, 1.0 * h.file_bytes / d.file_bytes, h.codec, h.settings)
FROM "trees/small" d, (SELECT * FROM "trees/small" WHERE 1 * lookup_ns < 5000 ORDER BY 1 * file_bytes LIMIT 1) g,
  (SELECT * FROM "trees/small" WHERE 1 * lookup_ns < 20000 ORDER BY 1 * file_bytes LIMIT 1) h WHERE d.settings = 'clusters=64';
