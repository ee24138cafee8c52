-- Opening and probing while no page of the files is in memory.
SELECT '| ending | tables | opened | what | median, us | 90 % | major faults | pages | KiB read |';
SELECT '|---|---|---|---|---:|---:|---:|---:|---:|';
SELECT printf ('| %s | %s | %s | %s | %,d | %,d | %.1f | %.1f | %,d |', ending, tables, opened, what,
  round (median_us), round (p90_us), major_faults, pages, round (kib_read)) FROM "probes/cold";
