-- DTM: codings, one side, losses only.
CREATE TEMP VIEW s AS SELECT "table" AS t, coding, freedom, sum (bytes) AS both_, min (bytes + 0) AS one FROM "repair/choices" WHERE "group" IN ('sides', 'losses') GROUP BY 1, 2, 3;
SELECT '| ending | `moves`, both sides | the smaller side | losses only | `signed`, both sides | the smaller side |';
SELECT '|---|---:|---:|---:|---:|---:|';
SELECT printf ('| %s | %,d | %,d | %,d | %,d | %,d |', t, sum (iif (coding = 'moves' AND freedom = 'all', both_, 0)), sum (iif (coding = 'moves' AND freedom = 'all', one, 0)),
  sum (iif (freedom LIKE '%won%', both_, 0)), sum (iif (coding = 'signed', both_, 0)), sum (iif (coding = 'signed', one, 0))) FROM s GROUP BY t;
