-- title: Gain of freedom against the share of subdefinite slots
-- level: 3
-- name: gains
-- text: A point for each table: the share of all slots that the freedom makes subdefinite besides those of the other one, and the share of the
--   bytes that this saves. The line through the points of at least 6 tables (least squares): what it says where no slot is added, and its slope.
--   The largest residual: measured, less what the line says.
-- column: title | metric | page
-- column: metric | | file
-- column: coding | | file
-- column: codec_shown | codec | page
-- column: codec | | file
-- column: settings | | file
-- column: freedom
-- column: against
-- column: tables | | count
-- column: intercept | at no slot | bits
-- column: slope | | bits
-- column: r_squared | R^2 | bits
-- column: residual | largest residual | signed
-- column: residual_table | its table

-- Captures free slots or bound them (Zakharov 2015, 1.8, 1.9: n-up and n-down). Two lines of one table in the same coding, codec and
-- settings that differ in their freedom give a point: how much of the slots the greater freedom adds, and how much of the bytes it saves.
WITH alone AS (SELECT subject, "table", metric, coding, sides, codec, settings, codec_shown, freedom, bytes, 1.0 * free_slots / slots AS share, free_bits (freedom) AS bits,
    row_number () OVER (PARTITION BY subject, coding, sides, codec, settings, freedom ORDER BY bytes, line) AS place
    FROM line WHERE whole AND subject IN (SELECT subject FROM line GROUP BY subject HAVING min (freedom) <> max (freedom))),
  point AS (SELECT a.metric, a.coding, a.sides, a.codec, a.settings, a.codec_shown, a.subject, a."table", b.freedom AS freedom, a.freedom AS against,
      b.share - a.share AS added, 1 - 1.0 * b.bytes / a.bytes AS saved
    FROM alone a JOIN alone b USING (subject, coding, sides, codec, settings)
    WHERE a.place = 1 AND b.place = 1 AND a.bits <> b.bits AND a.bits & ~b.bits = 0),
  fit AS (SELECT *, count (*) AS tables, fit_intercept (added, saved) AS intercept, fit_slope (added, saved) AS slope, fit_r2 (added, saved) AS r_squared
    FROM (SELECT * FROM point ORDER BY subject) GROUP BY metric, coding, sides, codec, settings, freedom, against
    HAVING count (*) >= 6 AND max (added) - min (added) > 1e-6),
  odd AS (SELECT f.*, p."table" AS residual_table, p.saved - f.intercept - f.slope * p.added AS residual,
      row_number () OVER (PARTITION BY metric, coding, sides, codec, settings, freedom, against
        ORDER BY abs (p.saved - f.intercept - f.slope * p.added) DESC, p.subject) AS place
    FROM fit f JOIN point p USING (metric, coding, sides, codec, settings, freedom, against))
SELECT *, metric_title (metric) AS title FROM odd WHERE place = 1 ORDER BY metric, coding, sides, codec, settings, against, freedom
