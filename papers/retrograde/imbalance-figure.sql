-- Imbalance and the time with balancing by the time without, of so many :ranks. Points that would fall on each other come once.
SELECT at FROM (SELECT min (rowid) AS place, printf ('%.2g %.2g', 1.0 * imbalance_states / least_imbalance_states, 1.0 * balanced_s / plain_s) AS at
  FROM "retrograde/imbalance" WHERE ranks = :ranks GROUP BY 2) ORDER BY place;
