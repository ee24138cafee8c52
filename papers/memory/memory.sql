-- Peak bytes of recoding, of each slot of one side to move, and their share of what the program says that they may be.
SELECT '| ending | metric | codec | MB | bytes a slot of one side | of what it may take |';
SELECT '|---|---|---|---:|---:|---:|';
SELECT printf ('| %s | %s | %s | %.0f | %.1f | %.2f |', ending, upper (metric), codec, bytes / 1e6, 1.0 * bytes / slots, 1.0 * bytes / may_take)
  FROM "memory/memory" ORDER BY slots + 0 DESC, ending, metric DESC, bytes + 0;
