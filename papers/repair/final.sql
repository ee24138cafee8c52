-- The two rules for final slots by what is filled before and which pairs count.
SELECT '| filled before | pairs | trials | with the same bytes | `longest`, bytes | `frequent`, bytes | |';
SELECT '|---|---|---:|---:|---:|---:|---:|';
SELECT printf ('| `%s` | `%s` | %d | %d | %,d | %,d | %.3f |', initial, pair, count (*), sum (longest_bytes = frequent_bytes), sum (longest_bytes), sum (frequent_bytes), 1.0 * sum (longest_bytes) / sum (frequent_bytes))
FROM "repair/final" GROUP BY initial, pair ORDER BY min (rowid);
