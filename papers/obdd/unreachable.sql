-- How many positions no legal move leads to.
SELECT '| men | positions | no move leads to | share | Kristensen | nor to a mirror image | share |';
SELECT '|---|---:|---:|---:|---:|---:|---:|';
SELECT printf ('| %d | %,d | %,d | **%.3f %%** | %s | %,d | %.3f %% |', men, sum (positions), sum (unreachable), 100.0 * sum (unreachable) / sum (positions),
  iif (men + 0 = 3, '0.137 %', '0.593 %'), sum (mirrored), 100.0 * sum (mirrored) / sum (positions)) FROM "obdd/unreachable" WHERE men + 0 < 5 GROUP BY men;
SELECT '';
SELECT 'With 5 men ' || group_concat (printf ('%s has %,d of %,d (%.1f %%)', ending, mirrored, positions, 100.0 * mirrored / positions), ', ') || ' that are free in a table.' FROM "obdd/unreachable" WHERE men + 0 = 5;
