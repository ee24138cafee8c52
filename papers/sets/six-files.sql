-- Files with 6 men, beside Syzygy's.
SELECT '| ending | file | codec | bytes | Syzygy | share | CPU-s | memory, MB |';
SELECT '|---|---|---|---:|---:|---:|---:|---:|';
SELECT printf ('| %s | %s | %s | %,d | %s | %s | %s | %s |', ending, file, iif (codec = '', '', '`' || replace (codec, ', ', '`, ') || iif (instr (codec, ', '), '', '`')), bytes,
  iif (syzygy_bytes = '', '', printf ('%,d', syzygy_bytes)), iif (syzygy_bytes = '', '', printf ('%.2f', 1.0 * bytes / syzygy_bytes)),
  iif (cpu_s = '', '', printf ('%d', cpu_s)), iif (memory_bytes = '', '', printf ('%,d', round (memory_bytes / 1e6)))) FROM "sets/six-files";
