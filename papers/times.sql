-- How long a probe of a WDL table takes, from the rows of papers/probes.
CREATE TEMP VIEW p AS SELECT tables, exp (avg (ln (median_ns))) AS median, exp (avg (ln (fathom_median_ns))) AS fathom, max (p99_ns + 0) AS last, count (*) AS n FROM "probes/fathom" GROUP BY 1;
SELECT printf ('A probe of a WDL table with 3 or 4 men, captures included, takes %.0f ns by RE-PAIR and %.0f ns by a diagram, where Fathom takes %.0f ns in Syzygy''s files (geometric means of the medians of all %d endings, files in memory, [papers/probes](papers/probes)).',
  (SELECT median FROM p WHERE tables = 'repair'), (SELECT median FROM p WHERE tables = 'obdd'), (SELECT fathom FROM p WHERE tables = 'repair'), (SELECT n FROM p WHERE tables = 'repair'));
