-- What subdefinite pairs are worth.
CREATE TEMP VIEW p AS SELECT metric, initial, pair, sum (longest_bytes) AS b FROM "repair/final" GROUP BY 1, 2, 3;
SELECT printf ('* **Subdefinite pairs are what RE-PAIR lives on where nothing is filled before**: they take %.1f times fewer bytes than exact pairs (WDL and DTM together). Behind `ternary`, which has filled most free slots, they bring %.1f %%.',
  1.0 * (SELECT sum (b) FROM p WHERE initial = 'none' AND pair = 'exact') / (SELECT sum (b) FROM p WHERE initial = 'none' AND pair = 'subdefinite'),
  100 - 100.0 * (SELECT sum (b) FROM p WHERE initial = 'ternary' AND pair = 'subdefinite') / (SELECT sum (b) FROM p WHERE initial = 'ternary' AND pair = 'exact'));
