-- The whole set with 3 and 4 men in the smallest layouts that are known: by the list as it is, and by that before.
SELECT printf ('With `--layouts papers`, in the smallest layouts that are known, the %d files take %,d bytes, and %,d CPU-s and %,d s on two cores of a busy machine. '
    || 'Those of the list before, %,d bytes, took %,d CPU-s and %,d s of two free cores.', b.files, b.bytes, b.cpu_s, b.seconds, f.bytes, f.cpu_s, f.seconds)
FROM "sets/smallest" b, "sets/smallest" f WHERE b.machine = 'busy' AND f.machine = 'free';
