-- parse=optimal and what can be chosen of it; both sides.
CREATE TEMP VIEW p AS SELECT "table" AS t, parse, rounds, restarts, slack, initial, sum (bytes) AS b FROM "repair/choices" WHERE "group" = 'parse' GROUP BY 1, 2, 3, 4, 5, 6;
CREATE TEMP VIEW q AS SELECT iif (parse = 'greedy', '`parse=greedy`', '`rounds=' || rounds || ',restarts=' || restarts || ',slack=' || slack || ',initial=' || initial || '`') AS what,
  sum (iif (t = 'KPvK', b, 0)) AS a, sum (iif (t = 'KQvKR', b, 0)) AS q, sum (b) AS all_ FROM p GROUP BY 1;
SELECT '| `parse=optimal` with | KPvK | KQvKR | together | |';
SELECT '|---|---:|---:|---:|---:|';
SELECT printf ('| %s | %,d | %,d | %,d | %.3f |', what, a, q, all_, 1.0 * all_ / (SELECT all_ FROM q WHERE what LIKE '%greedy%')) FROM q ORDER BY all_ DESC;
