-- title: Time against block size
-- level: 3
-- name: fits
-- text: The median time of one slot as a straight line over the bytes of a block (least squares), for each codec that was timed with at least 4
--   block sizes. R^2: the share of the differences that the line explains. The largest residual: measured, less what the line says.
-- column: table | | file
-- column: metric | | file
-- column: title | table | page
-- column: coding | | file
-- column: codec_shown | codec | page
-- column: codec | | file
-- column: settings | | file
-- column: freedom | | file
-- column: free | freedom | page apart
-- column: blocks | | count desk
-- column: from | | count file
-- column: to | | count file
-- column: ns_per_kib | ns a KiB | digits page
-- column: ns_per_byte | | slope file
-- column: constant_ns | constant | ns+
-- column: r_squared | R^2 | bits desk
-- column: residual_ns | largest residual | ns+ desk
-- column: residual_block | its block | right desk

-- The time is linear in the block size down to some 20 kB (Zakharov 2015, 1.2).
WITH fit AS (SELECT subject, kind_of, count (*) AS blocks, min (block) AS "from", max (block) AS "to", fit_slope (block, get_ns) AS slope,
    fit_intercept (block, get_ns) AS constant_ns, fit_r2 (block, get_ns) AS r_squared
  FROM curve_line GROUP BY subject, kind_of HAVING count (*) >= 4),
  odd AS (SELECT f.*, c.block AS residual_block, c.get_ns - f.constant_ns - f.slope * c.block AS residual_ns,
      row_number () OVER (PARTITION BY subject, kind_of ORDER BY abs (c.get_ns - f.constant_ns - f.slope * c.block) DESC, c.block) AS place
    FROM fit f JOIN curve_line c USING (subject, kind_of))
SELECT o.*, l."table", l.metric, l.title, l.coding, l.codec_shown, l.codec, l.settings, l.freedom, l.free, slope * 1024 AS ns_per_kib, slope AS ns_per_byte
FROM odd o JOIN curve_line c ON c.subject = o.subject AND c.kind_of = o.kind_of AND c.block = o."from" JOIN line l USING (line) WHERE o.place = 1 ORDER BY o.subject, o.kind_of
