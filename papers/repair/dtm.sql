-- DTM with 3 and 4 men: trees and RE-PAIR beside LZMA.
SELECT '| ending | `trees` | RE-PAIR | LZMA `left` | LZMA `zero` | share of LZMA `left` |';
SELECT '|---|---:|---:|---:|---:|---:|';
SELECT printf ('| %s | %,d | %,d | %,d | %,d | %.2f |', material, trees_bytes, repair_left_bytes, lzma_left_bytes, lzma_zero_bytes,
               1.0 * trees_bytes / lzma_left_bytes) FROM "repair/dtm-3-4" ORDER BY material;
SELECT printf ('| **all** | **%,d** | %,d | %,d | %,d | **%.2f** |', sum (trees_bytes), sum (repair_left_bytes), sum (lzma_left_bytes), sum (lzma_zero_bytes),
               1.0 * sum (trees_bytes) / sum (lzma_left_bytes)) FROM "repair/dtm-3-4";
