-- All endings by the estimate, beside Makhnychev's 1e17 operations.
CREATE TEMP VIEW o AS SELECT men + 0 AS men, endings + 0 AS endings, states * 1.0 AS states, marks * 1.0 AS marks, cpu_s * 1.0 AS cpu_s, table_bytes * 1.0 AS bytes, largest, largest_states * 1.0 AS slots, largest_memory_bytes * 1.0 AS memory FROM "retrograde/operations" WHERE ranks = 1;
SELECT '| men | endings | states | marks | CPU | tables | largest ending | its states | its memory |';
SELECT '|---:|---:|---:|---:|---:|---:|---|---:|---:|';
SELECT printf ('| %d | %,d | %.1e | %.1e | %s | %s | %s | %.1e | %s |', men, endings, states, marks,
  CASE WHEN cpu_s < 60 THEN printf ('%.2g s', cpu_s) WHEN cpu_s < 36000 THEN printf ('%.0f min', cpu_s / 60) WHEN cpu_s < 3e7 THEN printf ('%.0f h', cpu_s / 3600) ELSE printf ('%.1f years', cpu_s / 31557600) END,
  CASE WHEN bytes < 1e6 THEN printf ('%.0f kB', bytes / 1e3) WHEN bytes < 1e9 THEN printf ('%.0f MB', bytes / 1e6) WHEN bytes < 1e12 THEN printf ('%.1f GB', bytes / 1e9) ELSE printf ('%.1f TB', bytes / 1e12) END,
  largest, slots, CASE WHEN memory < 1e9 THEN printf ('%.0f MB', memory / 1e6) WHEN memory < 1e12 THEN printf ('%.1f GB', memory / 1e9) ELSE printf ('%.1f TB', memory / 1e12) END)
  FROM o ORDER BY men;
SELECT '';
SELECT printf ('* **Makhnychev''s 1e17 operations for 7 men** are of the same order as our estimate. All %,d endings have %.1e states and send %.1e marks. They would take %.1e seconds of one core, which are %.1e ticks at 2.5 GHz: %.0f ns, or %.0f ticks, a mark.', endings, states, marks, cpu_s, 2.5e9 * cpu_s, 1e9 * cpu_s / marks, 2.5e9 * cpu_s / marks) FROM o WHERE men = 7;
SELECT printf ('* **At least 640e9 positions at a time**, says Makhnychev. Endings with one pawn, which are solved as a whole here, have more than those without: %s has %.1e states.', largest, slots) FROM o WHERE men = 7;
