-- What the gains say, S4's claim about don't-cares among it.
CREATE TEMP VIEW g AS SELECT a.ending AS e, a.changed AS what, 1.0 * a.bytes / d.bytes AS times FROM "obdd/gains" a
JOIN "obdd/gains" d ON d.ending = a.ending AND d.metric = a.metric AND d.changed = 'default' WHERE a.metric = 'wdl';
CREATE TEMP VIEW i AS SELECT n.ending AS e, 1.0 * n.bytes / c.bytes AS times FROM "obdd/gains" n
JOIN "obdd/gains" c ON c.ending = n.ending AND c.metric = n.metric AND c.changed = 'free: illegal' WHERE n.changed = 'free: none' AND n.metric = 'wdl';
SELECT printf ('* **Completing free slots or ordering the bits: which is worth more?** Kristensen (2.11) says that completing don''t-cares is the largest optimisation. With Kristensen''s own freedom (impossible positions) against none it is worth %s, the sifted order against the order of the men %s: so he is right for two of these four. With all our freedom (captures and promotions, too) completing is worth %s, more than the order in all but KPvK and KRvKP.',
  (SELECT group_concat (printf ('%.2f (%s)', times, e), ', ') FROM i), (SELECT group_concat (printf ('%.2f (%s)', times, e), ', ') FROM g WHERE what = 'order=pieces'),
  (SELECT group_concat (printf ('%.2f (%s)', times, e), ', ') FROM g WHERE what = 'free: none'));
SELECT printf ('* **Merging** from the leaves with sets of nodes beats no merging by %.2f to %.2f and merging from the root by %.0f to %.0f %%.',
  (SELECT min (times) FROM g WHERE what = 'merge=none'), (SELECT max (times) FROM g WHERE what = 'merge=none'),
  (SELECT 100 * min (times) - 100 FROM g WHERE what = 'merge=root'), (SELECT 100 * max (times) - 100 FROM g WHERE what = 'merge=root'));
SELECT printf ('* **How levels are stored**: rising sequences of pair numbers (the default) are the smallest. Kristensen''s edges take %.2f to %.2f times as many bytes, with ideal nodes %.2f to %.2f times, so that ideal nodes save %.0f to %.0f %% of the edges'' bytes (Kristensen: about 20 %%).',
  (SELECT min (times) FROM g WHERE what = 'nodes=edges'), (SELECT max (times) FROM g WHERE what = 'nodes=edges'),
  (SELECT min (times) FROM g WHERE what = 'nodes=ideal'), (SELECT max (times) FROM g WHERE what = 'nodes=ideal'),
  (SELECT min (100 - 100 * i.times / e.times) FROM g i JOIN g e USING (e) WHERE i.what = 'nodes=ideal' AND e.what = 'nodes=edges'),
  (SELECT max (100 - 100 * i.times / e.times) FROM g i JOIN g e USING (e) WHERE i.what = 'nodes=ideal' AND e.what = 'nodes=edges'));
SELECT printf ('* **Where sifting starts** (`starts=4`: with the free slots completed first) and **polishing** (`polish=20`: single variables moved by the size of the finished diagram) take %s and %s.',
  (SELECT group_concat (printf ('%.2f (%s)', times, e), ', ') FROM g WHERE what = 'starts=4'), (SELECT group_concat (printf ('%.2f (%s)', times, e), ', ') FROM g WHERE what = 'polish=20'));
SELECT printf ('* **Numbering**: folding makes the mirrored halves of the board alike; plain rows take %s, Hilbert''s curve, whose bits are not bits of file and rank, %.1f to %.1f times as many bytes.',
  (SELECT group_concat (printf ('%.2f (%s)', times, e), ', ') FROM g WHERE what = 'numbering rows'), (SELECT min (times) FROM g WHERE what = 'numbering hilbert'),
  (SELECT max (times) FROM g WHERE what = 'numbering hilbert'));
SELECT printf ('* **Sums modulo 2** (`sums=yes`) do not pay: %s.', (SELECT group_concat (printf ('%.2f (%s)', times, e), ', ') FROM g WHERE what = 'sums=yes'));
SELECT printf ('* **Clusters** (`clusters=16`; Kristensen: about 1 %%, few endings profit): %s.', (SELECT group_concat (printf ('%.2f (%s)', times, e), ', ') FROM g WHERE what = 'clusters=16'));
