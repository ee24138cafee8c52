-- Bytes with and without positions that no move leads to as a source of freedom (WDL).
SELECT '| ending | `obdd`, illegal | and unreachable | `obdd`, all | and unreachable | `repair`, all | and unreachable |';
SELECT '|---|---:|---:|---:|---:|---:|---:|';
CREATE TEMP VIEW l AS SELECT o.ending AS e, o.illegal_bytes AS a, o.illegal_unreachable_bytes AS b, o.all_bytes AS c, o.all_unreachable_bytes AS d, r.all_bytes AS x, r.all_unreachable_bytes AS y
FROM "obdd/legality" o LEFT JOIN "obdd/legality" r ON r.ending = o.ending AND r.codec = 'repair' AND r.metric = 'wdl' WHERE o.codec = 'obdd' AND o.metric = 'wdl';
SELECT printf ('| %s | %,d | %,d | %,d | %,d |', e, a, b, c, d) || iif (coalesce (x, '') = '', ' | |', printf (' %,d | %,d |', x, y)) FROM l;
SELECT printf ('| the %d with 3 and 4 men | %,d | %,d | %,d | %,d | %,d | %,d |', count (*), sum (a), sum (b), sum (c), sum (d), sum (x), sum (y)) FROM l WHERE coalesce (x, '') <> '';
SELECT '';
CREATE TEMP VIEW n AS SELECT * FROM l WHERE coalesce (x, '') <> '';
SELECT printf ('It does not pay with 3 and 4 men: most of these positions are checks, which are won or lost like their neighbours, and a heuristic that has more choices sometimes chooses worse. Of the %d endings together diagrams change by %+.1f %% and RE-PAIR by %+.1f %%. KQQvK gains %.0f %%, KQQQvK %.0f %%. So `unreachable` is not part of `all`.',
  count (*), 100.0 * sum (d) / sum (c) - 100, 100.0 * sum (y) / sum (x) - 100, (SELECT 100 - 100.0 * d / c FROM l WHERE e = 'KQQvK'), (SELECT 100 - 100.0 * d / c FROM l WHERE e = 'KQQQvK')) FROM n;
