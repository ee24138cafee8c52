-- What Kristensen's own set gives, and where it differs from what is printed.
CREATE TEMP VIEW s AS SELECT "step" AS s, "table" AS t, sum (bytes) AS b FROM "obdd/steps" GROUP BY 1, 2;
SELECT printf ('* **With Kristensen''s own set** %s. A constant table takes 551 bytes there, so that some of the difference is the head of the files.',
  group_concat (printf ('%s takes %+.0f %%', t, 100.0 * b / k.wdl - 100), ', ')) FROM s JOIN "obdd/kristensen" k ON k.ending = t WHERE s = 'kristensen';
