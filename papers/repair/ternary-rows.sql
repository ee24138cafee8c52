-- title: Lookups and probes, the means of both sides' medians and of the bounds of these, and how many cores other programs used: the rows of
--   ternary.conf as ternary.csv.

SELECT "table", codec, block, metric, printf ('%.1f', avg (get_ns)) AS get_ns, printf ('%.1f', avg (get_low_ns)) AS get_low_ns,
  printf ('%.1f', avg (get_high_ns)) AS get_high_ns, printf ('%.1f', avg (probe_ns)) AS probe_ns, printf ('%.1f', avg (probe_low_ns)) AS probe_low_ns,
  printf ('%.1f', avg (probe_high_ns)) AS probe_high_ns, printf ('%.2f', max (busy_cores)) AS busy_cores
FROM cell WHERE get_ns IS NOT NULL GROUP BY 1, 2, 3, 4 ORDER BY 2 DESC, 3, 1, 4 DESC
