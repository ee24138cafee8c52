-- Positions; forward against backward; parallel against sequential: a line for each of Kristensen's rows. What lacks one of its endings is
-- "not measured".
CREATE TEMP VIEW wanted AS SELECT k.rowid AS place, value AS ending
FROM "retrograde/kristensen" k JOIN json_each ('["' || replace (endings, ' ', '","') || '"]');
.read slots.sql
CREATE TEMP VIEW m AS SELECT ending, solver, states + 0 AS states, cpu_seconds + 0.0 AS t FROM "retrograde/measured";
CREATE TEMP VIEW total AS SELECT *, CASE WHEN t IS NULL THEN 'not measured' WHEN t < 10 THEN printf ('%.3f', t) WHEN t < 100 THEN printf ('%.2f', t)
  ELSE printf ('%.0f', t) END AS text, iif (t IS NULL, '', printf ('%.3g', 1e6 * t / states)) AS us
FROM (SELECT place, s.solver, iif (count (*) = count (m.t), sum (m.t), NULL) AS t, sum (b.states) AS states
  FROM wanted w JOIN (SELECT DISTINCT solver FROM m) s JOIN m b ON b.ending = w.ending AND b.solver = 'parallel'
    LEFT JOIN m ON m.ending = w.ending AND m.solver = s.solver GROUP BY place, s.solver);
CREATE TEMP VIEW ratio AS SELECT place, a.solver, iif (a.t IS NULL, '', printf (iif (a.t < b.t, '**%.2f**', '**%.1f**'), a.t / b.t)) AS text
FROM total a JOIN total b USING (place) WHERE b.solver = 'parallel';
CREATE TEMP VIEW k AS SELECT rowid AS place, *, printf (iif (forward_s + 0 < backward_s + 0, '%.2f', '%.1f'), 1.0 * forward_s / backward_s) AS ratio
FROM "retrograde/kristensen";

SELECT '| endings built | Kristensen prints | by its formula | our states |';
SELECT '|---|---:|---:|---:|';
SELECT printf ('| %s | %,d | %,d | %,d |', "row", positions, sum (slots) + iif (place = 1, 462, 0), total.states) -- two kings have 462
FROM k JOIN wanted USING (place) JOIN slots USING (ending) JOIN total USING (place) WHERE total.solver = 'parallel' GROUP BY place;
SELECT '';
SELECT '| endings built | forward, s | us a position | backward, s | us a position | ratio | Kristensen: forward | backward | ratio |';
SELECT '|---|---:|---:|---:|---:|---:|---:|---:|---:|';
SELECT printf ('| %s | %s | %s | %s | %s | %s | %s us | %s us | %s |', "row", f.text, f.us, p.text, p.us, r.text, forward_us, backward_us, k.ratio)
FROM k JOIN total f USING (place) JOIN total p USING (place) JOIN ratio r USING (place)
WHERE f.solver = 'forward' AND p.solver = 'parallel' AND r.solver = 'forward' ORDER BY place;
SELECT '';
CREATE TEMP VIEW each AS SELECT place, ending, s.t / p.t AS times FROM wanted JOIN m s USING (ending) JOIN m p USING (ending)
WHERE s.solver = 'sequential' AND p.solver = 'parallel';
CREATE TEMP VIEW least AS SELECT place, ending, min (times) AS times FROM each GROUP BY place;
CREATE TEMP VIEW most AS SELECT place, ending, max (times) AS times FROM each GROUP BY place;
SELECT '| endings | sequential, s | parallel on one rank, s | times as fast | least, by ending | most |';
SELECT '|---|---:|---:|---:|---:|---:|';
SELECT printf ('| %s | %s | %s | %s | %s |', "row", s.text, p.text, r.text,
  iif (s.t IS NULL, ' | ', printf ('%.1f (%s) | %.1f (%s)', least.times, least.ending, most.times, most.ending)))
FROM k JOIN total s USING (place) JOIN total p USING (place) JOIN ratio r USING (place) LEFT JOIN least USING (place) LEFT JOIN most USING (place)
WHERE s.solver = 'sequential' AND p.solver = 'parallel' AND r.solver = 'sequential' ORDER BY place;
