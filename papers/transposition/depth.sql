-- Depths that are reached with so many nodes, without and with a table; stores by nodes at the greatest depth.
CREATE TEMP VIEW d AS SELECT min (rowid) AS place, fen, men,
  max (depth + 0) FILTER (WHERE "table" = 'no' AND nodes + 0 <= 1e5) AS no5, max (depth + 0) FILTER (WHERE "table" = 'yes' AND nodes + 0 <= 1e5) AS yes5,
  max (depth + 0) FILTER (WHERE "table" = 'no' AND nodes + 0 <= 1e6) AS no6, max (depth + 0) FILTER (WHERE "table" = 'yes' AND nodes + 0 <= 1e6) AS yes6,
  max (depth + 0) FILTER (WHERE "table" = 'no' AND nodes + 0 <= 5e6) AS no7, max (depth + 0) FILTER (WHERE "table" = 'yes' AND nodes + 0 <= 5e6) AS yes7
FROM "transposition/depth" GROUP BY fen;
CREATE TEMP VIEW s AS SELECT fen, max (depth + 0), 1.0 * stores / nodes AS share FROM "transposition/depth" WHERE "table" = 'yes' GROUP BY fen; -- of the greatest depth
SELECT '| position | men | 10^5 nodes | with table | 10^6 nodes | with table | 5x10^6 nodes | with table | entries a node |';
SELECT '|---|---:|---:|---:|---:|---:|---:|---:|---:|';
SELECT printf ('| `%s` | %s | %d | %d | %d | %d | %d | %d | %.2f |', fen, men, no5, yes5, no6, yes6, no7, yes7, share) FROM d JOIN s USING (fen) ORDER BY place;
