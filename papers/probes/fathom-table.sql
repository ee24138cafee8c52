-- Medians, and times that 99 % of the probes take at most: Fathom's in nanoseconds, ours as shares of them.
SELECT '| ending | Fathom: median | repair | obdd | Fathom: 99 % | repair | obdd |';
SELECT '|---|---:|---:|---:|---:|---:|---:|';
SELECT printf ('| %s | %s | %.2f | %.2f | %s | %.2f | %.2f |', ending,
  r.fathom_median_ns, 1.0 * r.median_ns / r.fathom_median_ns, 1.0 * o.median_ns / o.fathom_median_ns,
  r.fathom_p99_ns, 1.0 * r.p99_ns / r.fathom_p99_ns, 1.0 * o.p99_ns / o.fathom_p99_ns)
FROM "probes/fathom" r JOIN "probes/fathom" o USING (ending) WHERE r.tables = 'repair' AND o.tables = 'obdd' ORDER BY r.rowid;
