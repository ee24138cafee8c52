-- The sums of the README and of this page, and the file that each comes from.
SELECT '| figure | bytes | from |';
SELECT '|---|---:|---|';
SELECT printf ('| WDL, the smallest known of each table | %,d | `best-wdl-3-4.csv` |', sum (bytes)) FROM "best-wdl-3-4";
SELECT printf ('| WDL, RE-PAIR, cheapest parse | %,d | `repair/wdl-3-4.csv`, column `optimal_bytes` |', sum (optimal_bytes)) FROM "repair/wdl-3-4";
SELECT printf ('| WDL, diagrams | %,d | `obdd/wdl-3-4.csv` |', sum (bytes)) FROM "obdd/wdl-3-4";
SELECT printf ('| WDL, the smaller of these two for each table | %,d | both |', sum (min (r.optimal_bytes + 0, o.bytes + 0))) FROM "repair/wdl-3-4" r JOIN "obdd/wdl-3-4" o USING (material);
SELECT printf ('| WDL, one side to move, RE-PAIR | %,d | `repair/wdl-one-sided-3-4.csv` |', sum (optimal_bytes)) FROM "repair/wdl-one-sided-3-4";
SELECT printf ('| DTM, the smallest known of each table | %,d | `best-dtm-3-4.csv` |', sum (bytes)) FROM "best-dtm-3-4";
SELECT printf ('| DTM, decision trees | %,d | `repair/dtm-3-4.csv`, column `trees_bytes` |', sum (trees_bytes)) FROM "repair/dtm-3-4";
SELECT printf ('| DTM, diagrams | %,d | `obdd/dtm-3-4.csv` |', sum (bytes)) FROM "obdd/dtm-3-4";
