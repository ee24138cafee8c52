-- What rule.awk prints of orders.csv (kept in rule.csv: it takes a minute).
SELECT '| metric | tested on | streams | any order | first | best of 2 | best of 4 | best of 8 | first, worst (1 kB and more) |';
SELECT '|---|---|---:|---:|---:|---:|---:|---:|---|';
SELECT printf ('| %s | %s | %d | %s %% | %s %% | %s %% | %s %% | %s %% | %s %s |', metric, tested_on, streams, any_order, "first", best_of_2, best_of_4, best_of_8, worst, worst_ending)
FROM "orders/rule";
SELECT '';
SELECT printf ('* **One order by the rule alone is not good enough for WDL**: it is %.0f %% larger than the best one, and %.1f times as large in the worst ending (%s). For DTM, where the order matters less, it is %.0f %% larger.',
  w."first", w.worst, w.worst_ending, d."first") FROM "orders/rule" w, "orders/rule" d WHERE w.metric = 'WDL' AND d.metric = 'DTM' AND w.tested_on LIKE '4%';
SELECT printf ('* **Eight orders of 24 are enough**: the smallest of the rule''s first eight is %.1f %% larger than the best one of WDL, and %.1f %% larger for DTM. A search that codes tables in full may leave the other sixteen out.',
  w.best_of_8, d.best_of_8) FROM "orders/rule" w, "orders/rule" d WHERE w.metric = 'WDL' AND d.metric = 'DTM' AND w.tested_on LIKE '4%';
SELECT printf ('* **With 5 men** the rule''s first order is %.0f %% larger than the best one, where the mean of the orders is %.0f %% larger, and one of its first two is the best one for all %d streams.',
  "first", any_order, streams) FROM "orders/rule" WHERE tested_on LIKE '5%';
