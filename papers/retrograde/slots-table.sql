-- Slots of the generator's index, and what an index without occupied squares would have (:endings, parted by blanks, or these).
CREATE TEMP TABLE wanted AS SELECT value AS ending, key AS place FROM json_each ('["' || replace (ifnull (:endings, 'KQvK KPvK KQvKR KRvKP KQQvK ' ||
  'KPvKP KBNvK KQRvKQ KBBvKN KQQQvK KRPvKR KPPvKP KQRvKQR KBNvKBN KRPvKRP KPPvKPP KQQQQvK KRBNvKRB'), ' ', '","') || '"]');
.read slots.sql
SELECT '| ending | men | slots | without occupied squares | share | GiB at 16 bits | without |';
SELECT '|---|---:|---:|---:|---:|---:|---:|';
SELECT printf ('| %s | %d | %,d | %,d | %.3f | %.3f | %.3f |', ending, length (ending) - 1, slots, free, 1.0 * free / slots, slots / pow (2, 29), free / pow (2, 29))
FROM slots JOIN wanted USING (ending) ORDER BY place;
