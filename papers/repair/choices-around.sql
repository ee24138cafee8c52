-- A digit around another, KRvKP, both sides.
SELECT '| order | `rows` | `files` |';
SELECT '|---|---:|---:|';
SELECT printf ('| `%s` | %,d | %,d |', "order", sum (iif (numbering = 'rows', bytes, 0)), sum (iif (numbering = 'files', bytes, 0)))
FROM "repair/choices" WHERE "group" = 'around' GROUP BY "order";
