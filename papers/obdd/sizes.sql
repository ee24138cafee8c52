-- What the sizes say.
CREATE TEMP VIEW w AS SELECT sum (bytes) AS b FROM "obdd/wdl-3-4";
CREATE TEMP VIEW d AS SELECT sum (bytes) AS b FROM "obdd/dtm-3-4";
SELECT printf ('* **WDL**: %,d bytes for all 35 endings, %.2f of Kristensen''s. In the layouts of the first search, neither polished nor joint (`wdl-two-streams-3-4.csv`), they take %,d.',
  (SELECT b FROM w), 1.0 * (SELECT b FROM w) / (SELECT wdl FROM "obdd/kristensen" WHERE ending = 'all'), (SELECT sum (bytes) FROM "obdd/wdl-two-streams-3-4"));
SELECT printf ('* **DTM**: %,d bytes, %.2f of Kristensen''s. Nalimov''s tables are complete by themselves, our DTM needs the WDL table beside it; both together take %.2f of Nalimov''s bytes.',
  (SELECT b FROM d), 1.0 * (SELECT b FROM d) / (SELECT dtm FROM "obdd/kristensen" WHERE ending = 'all'),
  1.0 * ((SELECT b FROM d) + (SELECT b FROM w)) / (SELECT nalimov_dtm FROM "obdd/kristensen" WHERE ending = 'all'));
SELECT printf ('* **EgmProbe 2.0**, as Kristensen prints it, is smaller for %s.',
  group_concat (printf ('%s (%,d and %,d bytes)', ending, egmprobe_wdl, bytes), ', '))
FROM "obdd/kristensen" JOIN "obdd/wdl-3-4" ON material = ending WHERE egmprobe_wdl <> '' AND egmprobe_wdl + 0 < bytes + 0;
