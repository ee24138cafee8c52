-- The smallest RE-PAIR files of WDL with 3 and 4 men: greedy pairs and parse=optimal, beside Syzygy's files.
SELECT '| ending | order W | order B | bytes | `parse=optimal` | Syzygy | share |';
SELECT '|---|---|---|---:|---:|---:|---:|';
SELECT printf ('| %s | %s | %s | %,d | %,d | %,d | %.2f |', material,
               order_w || iif (numbering_w = 'rows', '', ' (' || numbering_w || ')'),
               iif (order_b IN ('', '-'), '', order_b || iif (numbering_b = 'rows', '', ' (' || numbering_b || ')')),
               bytes, optimal_bytes, syzygy_bytes, 1.0 * optimal_bytes / syzygy_bytes)
FROM "repair/wdl-3-4" ORDER BY material;
SELECT printf ('| **all** | | | **%,d** | **%,d** | **%,d** | **%.2f** |', sum (bytes), sum (optimal_bytes), sum (syzygy_bytes),
               1.0 * sum (optimal_bytes) / sum (syzygy_bytes))
FROM "repair/wdl-3-4";
