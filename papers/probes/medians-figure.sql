-- Medians of probes in nanoseconds, the slowest of Fathom's last: ending, Fathom, RE-PAIR, diagrams.
SELECT ending, o.fathom_median_ns, r.median_ns, o.median_ns FROM "probes/fathom" r JOIN "probes/fathom" o USING (ending)
WHERE r.tables = 'repair' AND o.tables = 'obdd' ORDER BY o.fathom_median_ns + 0, ending;
