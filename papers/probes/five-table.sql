-- WDL probes with 5 men, as shares of Fathom's times, and batches as shares of single probes.
SELECT '| ending | tables | bytes | median, of Fathom''s | 99 %, of Fathom''s | mean, of Fathom''s | in batches, of one by one |';
SELECT '|---|---|---:|---:|---:|---:|---:|';
SELECT printf ('| %s | `%s` | %,d | %.2f | %.2f | %.2f | %.2f |', ending, tables, bytes + 0, 1.0 * median_ns / fathom_median_ns,
  1.0 * p99_ns / fathom_p99_ns, single_of_fathom + 0.0, batch_of_single + 0.0)
FROM "probes/five" JOIN "probes/together" USING (ending, tables) ORDER BY "probes/together".rowid;
