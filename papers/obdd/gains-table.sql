-- Bytes by what is changed against the default, and how many times as many they are: a table for WDL, one for DTM.
CREATE TEMP VIEW g AS SELECT a.rowid AS place, metric, a.changed AS what, ending, a.bytes AS bytes, 1.0 * a.bytes / d.bytes AS times
FROM "obdd/gains" a JOIN "obdd/gains" d USING (metric, ending) WHERE d.changed = 'default';
CREATE TEMP VIEW lines AS SELECT min (place) AS place, metric, printf (iif (what = 'default', '| %s |', '| `%s` |'), what)
  || group_concat (printf (' %,d | %.2f |', bytes, times), '') AS line FROM (SELECT * FROM g ORDER BY place) GROUP BY metric, what;
SELECT '| WDL | KPvK | | KQvKR | | KQvKQ | | KRvKP | |';
SELECT '|---|---:|---:|---:|---:|---:|---:|---:|---:|';
SELECT line FROM lines WHERE metric = 'wdl' ORDER BY place;
SELECT '';
SELECT '| DTM | KQvKR | | KRvKP | |';
SELECT '|---|---:|---:|---:|---:|';
SELECT line FROM lines WHERE metric = 'dtm' ORDER BY place;
SELECT '';
