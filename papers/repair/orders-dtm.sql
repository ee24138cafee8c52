-- DTM, every order: best, mean and worst of each stream.
SELECT '| ending | White to move: best | mean | worst | Black to move: best | mean | worst |';
SELECT '|---|---:|---:|---:|---:|---:|---:|';
SELECT printf ('| %s | %,d %s | %,d | %,d |', w."table", w.best_bytes, w.best_order, w.mean_bytes, w.worst_bytes)
  || iif (b."table" IS NULL, ' | | |', printf (' %,d %s | %,d | %,d |', b.best_bytes, b.best_order, b.mean_bytes, b.worst_bytes))
FROM "repair/orders-dtm" w LEFT JOIN "repair/orders-dtm" b ON b."table" = w."table" AND b.side = 'b' WHERE w.side = 'w' AND w.best_bytes + 0 > 300 ORDER BY w."table";
