-- Wide rounds and starts.
SELECT '| files | | bytes | CPU-s |';
SELECT '|---:|---|---:|---:|';
SELECT printf ('| %d | %s | %,d | %s |', files, way, bytes, cpu_s) FROM "syzygy/wide";
