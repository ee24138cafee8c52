-- Bytes of one stream of trees for both sides to move, by the order of the men.
CREATE TEMP TABLE l AS SELECT ending, "order" AS o, bytes + 0 AS bytes FROM "budget/layouts";
SELECT '| ending | orders and leaders | smallest | in the order | mean | largest | in the order | the full search finds |';
SELECT '|---|---:|---:|---|---:|---:|---|---:|';
SELECT printf ('| %s | %d | %,d | `%s` | %,d | %,d | `%s` | %,d |', x.ending, count (*), min (bytes),
    (SELECT o FROM l WHERE ending = x.ending ORDER BY bytes LIMIT 1),
    CAST (avg (bytes) AS INTEGER), max (bytes),
    (SELECT o FROM l WHERE ending = x.ending ORDER BY bytes DESC LIMIT 1),
    (SELECT bytes FROM "budget/budget" f WHERE f.ending = x.ending AND metric = 'wdl' AND search = 'full'))
  FROM l x GROUP BY x.ending ORDER BY x.ending DESC;
