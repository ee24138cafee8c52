-- Kristensen's own set, then one thing changed at a time: bytes of both sides to move.
CREATE TEMP VIEW s AS SELECT rowid AS place, "table" AS ending, bytes, CASE -- the order's men tell what it is
    WHEN "step" = 'pair' THEN 'placements of both kings as one digit'
    WHEN "step" = 'merge' THEN iif (settings LIKE 'merge=root%', 'Kk..', 'Kk..; from the leaves')
    WHEN "order" GLOB 'Kk!*' THEN 'Kk.., the black king confined'
    WHEN "order" GLOB 'kK*' THEN 'kK.., the black king confined'
    WHEN "order" GLOB 'Kk[QRP]!*' THEN 'Kk.., the queen confined'
    WHEN "order" GLOB 'Kk*' THEN 'Kk.., the white king confined'
    ELSE 'the order of the name, the black king confined' END
  || iif (settings LIKE '%match=first%', '', iif (settings LIKE 'merge=root%', '; cover', ', cover'))
  || iif (settings LIKE '%starts=0%', '', ', starts=4') || iif (settings LIKE '%clusters=1', '', ', clusters=16') AS what
FROM "obdd/steps";
CREATE TEMP VIEW sums AS SELECT min (place) AS place, what, sum (bytes) FILTER (WHERE ending = 'KPvK') AS kpvk,
  sum (bytes) FILTER (WHERE ending = 'KQvKR') AS kqvkr, sum (bytes) FILTER (WHERE ending = 'KQvKQ') AS kqvkq, sum (bytes) FILTER (WHERE ending = 'KRvKP') AS krvkp
FROM s GROUP BY what UNION ALL
SELECT 0, 'Kristensen, 551 bytes of each file included', sum (wdl) FILTER (WHERE ending = 'KPvK'),
  sum (wdl) FILTER (WHERE ending = 'KQvKR'), sum (wdl) FILTER (WHERE ending = 'KQvKQ'), sum (wdl) FILTER (WHERE ending = 'KRvKP') FROM "obdd/kristensen";
SELECT '| | KPvK | KQvKR | KQvKQ | KRvKP |';
SELECT '|---|---:|---:|---:|---:|';
SELECT printf ('| %s |', what) || iif (kpvk IS NULL, ' |', printf (' %,d |', kpvk)) || iif (kqvkr IS NULL, ' |', printf (' %,d |', kqvkr))
  || iif (kqvkq IS NULL, ' |', printf (' %,d |', kqvkq)) || iif (krvkp IS NULL, ' |', printf (' %,d |', krvkp)) FROM sums ORDER BY place;
