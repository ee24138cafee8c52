-- What a stricter definition of a legal position removes, shares of the positions in per cent. Endings of equal sides stand in one line of
-- unreachable-variants.csv, with White to move.
CREATE TEMP VIEW v AS SELECT men + 0 AS men, 1 + (ending = substr (ending, 1, instr (ending, 'v')) || substr (ending, 1, instr (ending, 'v') - 1)) AS sides,
  positions, unreachable, without_promotions, without_captures, without_both FROM "obdd/unreachable-variants";
CREATE TEMP VIEW s AS
SELECT men, 1 AS place, 'any move is taken back' AS text, 100.0 * sum (unreachable) / sum (positions) AS share FROM v GROUP BY men
UNION ALL SELECT men, 2, 'no promotions', 100.0 * sum (without_promotions) / sum (positions) FROM v GROUP BY men
UNION ALL SELECT men, 3, 'no captures', 100.0 * sum (without_captures) / sum (positions) FROM v GROUP BY men
UNION ALL SELECT men, 4, 'neither', 100.0 * sum (without_both) / sum (positions) FROM v GROUP BY men
UNION ALL SELECT men, 5, 'any move is taken back, of the positions that remain', 100.0 * sum (unreachable) / sum (positions - unreachable) FROM v GROUP BY men
UNION ALL SELECT men, 6, 'any move is taken back, endings of equal sides twice', 100.0 * sum (sides * unreachable) / sum (sides * positions) FROM v GROUP BY men
UNION ALL SELECT men, 7, 'any move is taken back, both', 100.0 * sum (sides * unreachable) / sum (sides * (positions - unreachable)) FROM v GROUP BY men;
CREATE TEMP VIEW p AS SELECT substr (ours, -1) + 0 AS men, value FROM "published/published" WHERE source = 'kristensen2005' AND ours LIKE 'unreachable._';
SELECT '| removed, per cent | 3 men | 4 men | 5 men |';
SELECT '|---|---:|---:|---:|';
SELECT printf ('| %s | %.3f | %.3f | %.3f |', text, three.share, four.share, five.share) FROM s three JOIN s four USING (place, text) JOIN s five USING (place, text)
WHERE three.men = 3 AND four.men = 4 AND five.men = 5 ORDER BY place;
SELECT printf ('| Kristensen 2005 | %s | %s | %s |', three.value, four.value, five.value) FROM p three, p four, p five WHERE three.men = 3 AND four.men = 4 AND five.men = 5;
