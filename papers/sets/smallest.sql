-- The whole set with 3 and 4 men in the smallest layouts that are known.
SELECT printf ('With `--layouts papers`, in the smallest layouts that are known, the %d files take %,d bytes, %d CPU-s and %d s of two free cores.', files, bytes, cpu_s, seconds)
FROM "sets/smallest";
