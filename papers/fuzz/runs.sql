-- Runs of the fuzzing targets.
SELECT '| command (`OMP_NUM_THREADS=1`) | CPU-s | inputs | of each codec | inputs a CPU second | findings |';
SELECT '|---|---:|---:|---|---:|---:|';
SELECT printf ('| `%s %s` | %s | %,d | %s | %s | %d |', target, replace (options, ', ', '`, `'), cpu_s, inputs, iif (least = '', '', printf ('%,d to %,d', least, most)), iif (rate = '', '', printf ('%,d', rate)), findings)
FROM "fuzz/runs";
