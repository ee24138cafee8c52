-- Recompressed files, the largest public files first.
SELECT '| ending | public | recompressed | ratio | CPU-s |';
SELECT '|---|---:|---:|---:|---:|';
SELECT printf ('| %s | %d | %d | %.3f | %.1f |', ending, public, bytes, 1.0 * bytes / public, cpu_s) FROM "syzygy/recompressed" ORDER BY public + 0 DESC, ending;
SELECT printf ('| all %d | %d | %d | %.3f | %.0f |', count (*), sum (public), sum (bytes), 1.0 * sum (bytes) / sum (public), sum (cpu_s)) FROM "syzygy/recompressed";
