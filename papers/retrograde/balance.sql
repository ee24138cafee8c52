-- What balancing and mixing do, and how good the model is (rows of whole runs).
CREATE TEMP VIEW b AS SELECT ranks + 0 AS ranks, interval + 0.0 AS q, variant AS v, efficiency + 0.0 AS e, 1.0 * predicted_speedup / speedup - 1 AS off, "iteration" AS i FROM "retrograde/balance" WHERE "iteration" = '';
SELECT printf ('* Balancing does what Makhnychev says as long as an iteration takes much longer than q: with q = 1 s it brings the share of the ranks that is used from %.2f to %.2f on 64 ranks and from %.2f to %.2f on 512. With more ranks an iteration takes a few seconds and less, and what is below D_0, a second''s work, is not balanced. Ten times as many reports carry it further (%.2f against %.2f on 4096 ranks).',
  (SELECT e FROM b WHERE ranks = 64 AND q = 1 AND v = 'plain'), (SELECT e FROM b WHERE ranks = 64 AND q = 1 AND v = 'balanced'),
  (SELECT e FROM b WHERE ranks = 512 AND q = 1 AND v = 'plain'), (SELECT e FROM b WHERE ranks = 512 AND q = 1 AND v = 'balanced'),
  (SELECT e FROM b WHERE ranks = 4096 AND q = 0.1 AND v = 'balanced'), (SELECT e FROM b WHERE ranks = 4096 AND q = 1 AND v = 'balanced'));
SELECT printf ('* The model is right within %.1f %% with mixing and q = 1 s, within %.1f %% with mixing and q = 0.1 s, and up to %.0f %% too hopeful without mixing, where tasks lie on few ranks and take several steps to reach the others.',
  (SELECT 100 * max (abs (off)) FROM b WHERE v = 'mixed+balanced' AND q = 1), (SELECT 100 * max (abs (off)) FROM b WHERE v = 'mixed+balanced' AND q = 0.1),
  (SELECT 100 * max (off) FROM b WHERE v = 'balanced'));
SELECT printf ('* Mixing by a number of ranks that is a power of two costs a factor of %.1f to %.1f, because it shares factors with 64: state mod 64 is the square of the man that counts fastest, and a rank gets the same squares all the time. A prime number of ranks, or one a little below the power of two, does nearly all that balancing could do (%.2f against %.2f on 1021 and 1024 ranks). The 2048 of Makhnychev is such a power of two.',
  (SELECT min (p.e / t.e) FROM b t, b p WHERE t.v = 'mixed' AND p.v = 'mixed' AND t.q = 1 AND p.q = 1 AND (t.ranks & (t.ranks - 1)) = 0 AND p.ranks = (SELECT max (ranks) FROM b WHERE ranks < t.ranks AND ranks > t.ranks / 2)),
  (SELECT max (p.e / t.e) FROM b t, b p WHERE t.v = 'mixed' AND p.v = 'mixed' AND t.q = 1 AND p.q = 1 AND (t.ranks & (t.ranks - 1)) = 0 AND p.ranks = (SELECT max (ranks) FROM b WHERE ranks < t.ranks AND ranks > t.ranks / 2)),
  (SELECT e FROM b WHERE ranks = 1021 AND q = 1 AND v = 'mixed'), (SELECT e FROM b WHERE ranks = 1024 AND q = 1 AND v = 'mixed'));
