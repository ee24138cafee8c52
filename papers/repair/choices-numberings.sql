-- Numberings of the squares, all men alike, the order of the name.
CREATE TEMP VIEW n AS SELECT "table" AS t, numbering, sum (bytes) AS b FROM "repair/choices" WHERE "group" = 'numberings' GROUP BY 1, 2;
SELECT '| ending | `rows` | `files` | `hilbert` | `folded` | `z` |';
SELECT '|---|---:|---:|---:|---:|---:|';
SELECT printf ('| %s | %,d | %,d | %,d | %,d | %,d |', t, sum (iif (numbering = 'rows', b, 0)), sum (iif (numbering = 'files', b, 0)),
  sum (iif (numbering = 'hilbert', b, 0)), sum (iif (numbering = 'folded', b, 0)), sum (iif (numbering = 'z', b, 0))) FROM n GROUP BY t
UNION ALL SELECT printf ('| all | %,d | %,d | %,d | %,d | %,d |', sum (iif (numbering = 'rows', b, 0)), sum (iif (numbering = 'files', b, 0)),
  sum (iif (numbering = 'hilbert', b, 0)), sum (iif (numbering = 'folded', b, 0)), sum (iif (numbering = 'z', b, 0))) FROM n;
