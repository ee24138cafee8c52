-- General compressors beside RE-PAIR: bytes of both sides for each initial replacement.
CREATE TEMP VIEW c AS SELECT "table" AS t, metric, codec || iif (dict = '0', '', ' dict=' || dict) AS what, codec, block + 0 AS block, initial, bytes + 0 AS b FROM "repair/codecs";
CREATE TEMP VIEW k AS SELECT t, metric, what, codec, iif (codec IN ('repair', 'rle'), block > 512, block > 4096) AS large, initial, b FROM c;
CREATE TEMP VIEW w AS SELECT t, metric, what, min (codec) AS codec,
  max (iif (NOT large AND initial = 'frequent', b, 0)) AS sf, max (iif (NOT large AND initial = 'left', b, 0)) AS sl, max (iif (NOT large AND initial = 'ternary', b, 0)) AS st,
  max (iif (large AND initial = 'frequent', b, 0)) AS lf, max (iif (large AND initial = 'left', b, 0)) AS ll, max (iif (large AND initial = 'ternary', b, 0)) AS lt
FROM k GROUP BY 1, 2, 3;
CREATE TEMP VIEW line AS SELECT t, metric, 0 AS row, '' AS what, printf ('| %s %s | small: `frequent` | `left` | `ternary` | large: `frequent` | `left` | `ternary` |', t, upper (metric)) AS text FROM w GROUP BY 1, 2
UNION ALL SELECT t, metric, 1, '', '|---|---:|---:|---:|---:|---:|---:|' FROM w GROUP BY 1, 2
UNION ALL SELECT t, metric, 2, what, printf ('| `%s` | %s | %s | %s | %s | %s | %s |', what, iif (sf, printf ('%,d', sf), ''), iif (sl, printf ('%,d', sl), ''), iif (st, printf ('%,d', st), ''),
  iif (lf, printf ('%,d', lf), ''), iif (ll, printf ('%,d', ll), ''), iif (lt, printf ('%,d', lt), '')) FROM w
UNION ALL SELECT t, metric, 3, '', '' FROM w GROUP BY 1, 2;
SELECT text FROM line ORDER BY metric DESC, t, row, what;
