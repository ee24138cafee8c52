-- Real ranks beside simulated ones.
SELECT '| ending | ranks | iterations | alike | states | marks | messages | bytes | s | CPU s, first rank | simulated s |';
SELECT '|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|';
SELECT printf ('| %s | %s | %s | %s | %,d | %,d | %,d | %,d | %s | %s | %s |', ending, ranks, iterations, alike, states, marks, messages, bytes,
  iif (seconds = '', '-', seconds), iif (cpu_seconds = '', '-', cpu_seconds), iif (simulated_seconds = '', '-', simulated_seconds)) FROM "retrograde/ranks";
SELECT '';
SELECT printf ('**Of %,d iterations %,d are alike** in states, marks, messages and bytes.', sum (iterations), sum (alike)) FROM "retrograde/ranks";
