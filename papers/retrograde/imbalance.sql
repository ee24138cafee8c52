-- When balancing pays, and how much a rank should give.
CREATE TEMP VIEW i AS SELECT 1.0 * imbalance_states / least_imbalance_states AS x, 1.0 * balanced_s / plain_s AS r, balanced_s - plain_s AS later FROM "retrograde/imbalance";
CREATE TEMP VIEW s AS SELECT a.share AS share, 1.0 * a.seconds / h.seconds AS r FROM "retrograde/shares" a JOIN "retrograde/shares" h ON h.share = 0.5 AND h.ending = a.ending AND h.scale = a.scale AND h.ranks = a.ranks;
CREATE TEMP VIEW m AS SELECT share, exp (avg (ln (r))) AS mean, min (r) AS least, max (r) AS most, count (*) AS n FROM s GROUP BY share;
SELECT printf ('* **Makhnychev''s rule holds.** Of %d iterations with d above B/t + D_H %d end sooner with balancing, of %d below it %d. Where it does not pay it costs %.2g ms at most, which is much only of an iteration that is over in less.',
  (SELECT count (*) FROM i WHERE x > 1), (SELECT count (*) FROM i WHERE x > 1 AND r < 0.999), (SELECT count (*) FROM i WHERE x <= 1), (SELECT count (*) FROM i WHERE x <= 1 AND r < 0.999),
  (SELECT 1000 * max (later) FROM i));
SELECT printf ('* **How much a rank gives**: half of the difference is best for two ranks alone (a test tries it). Among many, where several ask one rank and what they know is old, %s of it is the best share: it takes %.3f of the time of a half (geometric mean of %d runs; %.2f to %.2f), a tenth takes %.2f, nine tenths %.2f. The default stays a half, as with Makhnychev: in the generator a message bounds what is given, and a rank asks again.',
  (SELECT share FROM m ORDER BY mean LIMIT 1), (SELECT mean FROM m ORDER BY mean LIMIT 1), (SELECT n FROM m LIMIT 1), (SELECT least FROM m ORDER BY mean LIMIT 1), (SELECT most FROM m ORDER BY mean LIMIT 1),
  (SELECT mean FROM m WHERE share = 0.1), (SELECT mean FROM m WHERE share = 0.9));
