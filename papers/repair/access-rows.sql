-- title: Times of a slot and of a whole probe, the means of both sides' medians: the rows of access.conf as access.csv.

SELECT "table", codec, block, slots, printf ('%.0f', avg (get_ns)) AS get_ns, printf ('%.0f', avg (probe_ns)) AS probe_ns,
  printf ('%.2f', max (probe_scatter)) AS probe_scatter
FROM cell WHERE get_ns IS NOT NULL GROUP BY 1, 2, 3 ORDER BY slots, 1, 2, 3
