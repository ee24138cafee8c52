-- The smallest WDL files of endings with 5 men, beside the default diagrams and Syzygy's.
CREATE TEMP VIEW b AS SELECT material, codec, freedom, bytes + 0 AS bytes FROM "best-wdl-5";
CREATE TEMP VIEW d AS SELECT material AS ending, bytes + 0 AS bytes, wdl + 0 AS syzygy FROM "sets/wdl-3-5" JOIN "sets/syzygy" ON ending = material;
SELECT '| ending | White, Black to move | free | bytes | default | Syzygy | share |';
SELECT '|---|---|---|---:|---:|---:|---:|';
SELECT printf ('| %s | `%s` | `%s` | %,d | %,d | %,d | %.2f |', material, replace (codec, '|', '`, `'), freedom, b.bytes, d.bytes, syzygy, 1.0 * b.bytes / syzygy)
FROM b JOIN d ON d.ending = material ORDER BY b.bytes;
SELECT printf ('| together | | | %,d | %,d | %,d | %.2f |', sum (b.bytes), sum (d.bytes), sum (syzygy), 1.0 * sum (b.bytes) / sum (syzygy)) FROM b JOIN d ON d.ending = material;
