-- The front of each table, a paragraph each in the order of the page: settings that no other one beats in both bytes and time.
CREATE TEMP TABLE f AS SELECT "table" AS ending, metric, codec, replace (settings, ',rounds=1,samples=1000', '') AS settings, bytes + 0 AS b, lookup_ns + 0.0 AS ns, place + 0 AS place,
  CASE "table" || metric WHEN 'KPvKdtm' THEN 1 WHEN 'KRvKPwdl' THEN 2 WHEN 'KRvKPdtm' THEN 3 WHEN 'KQvKRdtm' THEN 4 WHEN 'KBBBvKdtm' THEN 5 ELSE 6 END AS part
FROM "front/front" WHERE place <> '';
SELECT line FROM (
  SELECT part, 0 AS place, '| | codec | settings | bytes | a lookup |' || char (10) || '|---:|---|---|---:|---:|' AS line FROM f GROUP BY part
  UNION ALL SELECT part, place, printf ('| %d | `%s` | %s | %,d | %s |', place, codec, iif (settings = '', '', '`' || settings || '`'), b,
    CASE WHEN ns < 999.5 THEN printf ('%.0f ns', ns) WHEN ns < 9995 THEN printf ('%.1f us', ns / 1e3) WHEN ns < 999500 THEN printf ('%.0f us', ns / 1e3)
      ELSE printf ('%.1f ms', ns / 1e6) END) FROM f
  UNION ALL SELECT part, 1e9, '' FROM f GROUP BY part)
ORDER BY part, place;
