-- Ranks and the :figure (speedup or efficiency) of a :variant, states exchanged each second (:ranks: powers of two, or primes).
WITH RECURSIVE power (n) AS (VALUES (1) UNION ALL SELECT 2 * n FROM power WHERE n < 1 << 20)
SELECT ranks, iif (:figure = 'speedup', speedup, efficiency) FROM "retrograde/balance"
WHERE interval = '1' AND variant = :variant AND (ranks + 0 IN (SELECT n FROM power)) = (:ranks = 'powers');
