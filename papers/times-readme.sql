-- The times of the README, from papers/times.csv.
CREATE TEMP VIEW t AS SELECT * FROM times WHERE what = 'probe' AND metric = 'wdl';
SELECT printf ('A probe of a WDL table with 4 men, captures included, takes %d to %d ns by RE-PAIR and %d to %d ns by a diagram (median over random positions of KQvKR and KRvKP, files in memory, `papers/times.csv`). Generating exact DTM tables of all 35 endings takes %.1f s of CPU time on one core.',
  (SELECT min (median_ns + 0) FROM t WHERE codec = 'repair'), (SELECT max (median_ns + 0) FROM t WHERE codec = 'repair'), (SELECT min (median_ns + 0) FROM t WHERE codec = 'obdd'),
  (SELECT max (median_ns + 0) FROM t WHERE codec = 'obdd'), (SELECT slot_median_ns FROM times WHERE what LIKE 'generating%'));
