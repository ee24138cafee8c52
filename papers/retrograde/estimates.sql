-- What was predicted beside what was measured, of lines of subdef-gen --json.
CREATE TEMP VIEW e AS SELECT key AS place, value ->> 'ending' AS ending, value ->> 'bytes_per_position' AS each, value ->> 'predicted_bytes_per_position' AS predicted,
  value ->> 'resident_bytes' AS resident, value ->> 'predicted_process_bytes' AS process, value ->> 'marks' AS marks, value ->> 'predicted_marks' AS predicted_marks,
  value ->> 'bytes' AS bytes, value ->> 'predicted_bytes' AS predicted_bytes
FROM json_each ('[' || replace (trim (CAST (readfile ('estimates.json') AS TEXT), char (10)), char (10), ',') || ']');
SELECT '| ending | bytes a position | predicted | resident | process predicted | marks | pred. / sent | table bytes | pred. / real |';
SELECT '|---|---:|---:|---:|---:|---:|---:|---:|---:|';
SELECT printf ('| %s | %.2f | %.2f | %.1f MB | %.1f MB | %d | %s | %d | %.2f |', ending, each, predicted, resident / 1e6, process / 1e6,
  marks, iif (marks < 1000, '-', printf ('%.2f', 1.0 * predicted_marks / marks)), bytes, 1.0 * predicted_bytes / bytes) FROM e ORDER BY place;
SELECT '';
SELECT printf ('Memory: %.1f to %+.1f %%.', 100 * min (predicted / each - 1), 100 * max (predicted / each - 1)) FROM e;
