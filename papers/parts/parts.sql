-- Bytes, time and memory of tables in parts, beside the same table whole.
SELECT '| ending | metric | codec | parts | programs | bytes | of whole | CPU-s | as fast as one | MB | bytes a slot of one side |';
SELECT '|---|---|---|---:|---:|---:|---:|---:|---:|---:|---:|';
SELECT printf ('| %s | %s | %s | %s | %s | %,d | %.2f | %s | %s | %.0f | %.2f |', a.ending, upper (a.metric), a.codec, iif (a.parts + 0 > 1, a.parts, 'whole'),
    a.tasks, a.bytes, 1.0 * a.bytes / w.bytes, a.cpu_s, iif (a.tasks + 0 > 1, printf ('%.2f', 1.0 * one.seconds / a.seconds), ''),
    a.memory / 1e6, 1.0 * a.memory / a.slots)
  FROM "parts/parts" AS a
  JOIN "parts/parts" AS w ON w.ending = a.ending AND w.metric = a.metric AND w.codec = a.codec AND w.parts + 0 = 1
  JOIN "parts/parts" AS one ON one.ending = a.ending AND one.metric = a.metric AND one.codec = a.codec AND one.parts = a.parts AND one.tasks + 0 = 1
  ORDER BY a.slots + 0, a.ending, a.metric DESC, a.codec, a.parts + 0, a.tasks + 0;
