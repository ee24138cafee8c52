-- DTM of all 35 endings with 3 and 4 men.
SELECT '| DTM, 3 and 4 men | bytes | |';
SELECT '|---|---:|---|';
SELECT printf ('| subdef, the smallest known of each table (`papers/best-dtm-3-4.csv`) | **%,d** | whichever codec and settings made it |', sum (bytes)) FROM "best-dtm-3-4";
SELECT printf ('| subdef, decision trees | %,d | blocks of 1 KiB; slow to look up |', sum (trees_bytes)) FROM "repair/dtm-3-4";
SELECT printf ('| subdef, decision diagrams | %,d | |', sum (bytes)) FROM "obdd/dtm-3-4";
SELECT printf ('| LZMA with the same freedom | %,d | blocks of 16 KiB |', sum (lzma_left_bytes)) FROM "repair/dtm-3-4";
