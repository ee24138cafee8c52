-- The set with 3 and 4 men, made in several ways.
SELECT '| made by | seconds | files | bytes |';
SELECT '|---|---:|---:|---:|';
SELECT printf ('| %s | %d | %d | %,d |', CASE made_by WHEN 'one' THEN 'one program, as many jobs as cores, two threads each' WHEN 'thread' THEN 'one program, one thread each'
  WHEN 'killed' THEN 'one program that was killed again and again' ELSE replace (made_by, 'ranks', 'mpirun -np ') END, seconds, files, bytes) FROM "sets/same";
SELECT '';
SELECT iif (count (DISTINCT bytes || ' ' || files) = 1, 'All are the same, byte by byte, and so are the manifests but for times and memory.', 'They differ.') FROM "sets/same";
