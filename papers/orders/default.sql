-- Plies of 5 men in the order that a sample chooses and in that of the name.
SELECT '| ending | metric | codec | orders (White, Black to move) | bytes | in the order of the name | share | CPU-s, with choosing | CPU-s in the order of the name |';
SELECT '|---|---|---|---|---:|---:|---:|---:|---:|';
SELECT printf ('| %s | %s | `%s` | %s | %,d | %,d | %.2f | %.0f | %.0f |', ending, upper (metric), codec,
  group_concat (o, ', '), bytes, name_bytes, 1.0 * bytes / name_bytes, cpu_s, name_cpu_s)
FROM (SELECT *, white_order AS o, rowid AS r, 1 AS s FROM "orders/default" WHERE white_order <> ''
  UNION ALL SELECT *, black_order, rowid, 2 FROM "orders/default" WHERE black_order <> '' ORDER BY r, s)
GROUP BY r ORDER BY r;
