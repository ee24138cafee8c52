-- WDL with 5 men by RE-PAIR.
SELECT '| ending | settings | bytes | Syzygy | share |';
SELECT '|---|---|---:|---:|---:|';
SELECT printf ('| %s | `%s` | %,d | %,d | %.2f |', material, replace (settings, ';', ','), bytes, syzygy_bytes, 1.0 * bytes / syzygy_bytes)
FROM "repair/wdl-5" ORDER BY 1.0 * syzygy_bytes;
SELECT printf ('| **all %d** | | **%,d** | **%,d** | **%.3f** |', count (*), sum (bytes), sum (syzygy_bytes), 1.0 * sum (bytes) / sum (syzygy_bytes))
FROM "repair/wdl-5";
