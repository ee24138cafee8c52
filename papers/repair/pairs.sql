-- Pairs: exact, subdefinite, compatible; WDL and DTM of the endings of final.conf.
SELECT '| | filled before | `exact` | `subdefinite` | `compatible` | subdefinite by exact | compatible by subdefinite |';
SELECT '|---|---|---:|---:|---:|---:|---:|';
SELECT printf ('| %s | `%s` | %,d | %,d | %,d | %.3f | %.3f |', upper (metric), initial, e, s, c, 1.0 * s / e, 1.0 * c / s)
FROM (SELECT metric, initial, sum (iif (pair = 'exact', longest_bytes, 0)) e, sum (iif (pair = 'subdefinite', longest_bytes, 0)) s,
             sum (iif (pair = 'compatible', longest_bytes, 0)) c FROM "repair/final" GROUP BY 1, 2) ORDER BY metric DESC, initial;
