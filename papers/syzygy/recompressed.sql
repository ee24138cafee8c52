-- Default and high effort, and the CPU time of the former.
SELECT printf ('* **%.3f of the public bytes** in all, %,d bytes; **%.3f with `--high`**, %,d bytes. No file is larger than the public one; %d are kept as they are.',
  1.0 * sum (r.bytes) / sum (r.public), sum (r.bytes), 1.0 * sum (h.bytes) / sum (h.public), sum (h.bytes), sum (r.bytes + 0 >= r.public + 0))
FROM "syzygy/recompressed" r JOIN "syzygy/recompressed_high" h USING (ending);
SELECT printf ('* **%.1f minutes of CPU time** for all of them, half of that for the %d that take most.', sum (cpu_s) / 60,
  (SELECT min (n) FROM (SELECT row_number () OVER (ORDER BY cpu_s + 0 DESC) AS n, sum (cpu_s) OVER (ORDER BY cpu_s + 0 DESC) AS s FROM "syzygy/recompressed")
   WHERE 2 * s >= (SELECT sum (cpu_s) FROM "syzygy/recompressed")))
FROM "syzygy/recompressed";
SELECT printf ('* **An `.sdt` table of the same values** by RE-PAIR takes %.2f of the public bytes: one dictionary, and promotions free slots as well.', 1.0 * sum (optimal_bytes) / sum (syzygy_bytes))
FROM "repair/wdl-3-4";
