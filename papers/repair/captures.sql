-- Lookups in an ending's own table, beside those in the tables that captures lead to.
SELECT '| ending | codec | its table, ns | bytes | sub-ending | its table, ns | bytes | times as fast |';
SELECT '|---|---|---:|---:|---|---:|---:|---:|';
SELECT printf ('| %s | `%s` | %,d | %,d | %s | %,d | %,d | %.1f |', s.ending, s.codec, o.lookup_ns, o.bytes, s."table", s.lookup_ns, s.bytes, 1.0 * o.lookup_ns / s.lookup_ns)
FROM "repair/captures" s JOIN "repair/captures" o ON o.ending = s.ending AND o.codec = s.codec AND o."table" = o.ending WHERE s."table" <> s.ending ORDER BY s.rowid;
