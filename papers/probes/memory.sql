-- What opening takes, and the memory of its own that a process has.
CREATE TEMP VIEW m AS SELECT tables, files + 0 AS files, bytes + 0 AS bytes, opening_ms + 0.0 AS ms, opened_kib + 0 AS kib, probes + 0 AS probes, probed_kib + 0 AS later FROM "probes/memory";
SELECT '| tables | files | bytes | opening, ms | own memory then, KiB | after the probes |';
SELECT '|---|---:|---:|---:|---:|---:|';
SELECT printf ('| %s | %d | %,d | %.1f | %,d | %,d |', tables, files, bytes, ms, kib, later) FROM m;
SELECT '';
SELECT printf ('%,d probes each of random positions of seven endings with 3 and 4 men. Fathom maps what it reads, and the pages of a map are not its own; ours read parts of 1 MiB and compare them with their checksums.', max (probes)) FROM m;
