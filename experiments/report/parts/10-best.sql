-- title: {iif ((SELECT max (orders) FROM subject) > 1, 'Best codec and order', 'Best codec')}
-- name: best
-- text: {iif ((SELECT only_arrays FROM fact), 'The smallest of all codecs' || iif ((SELECT max (timed) FROM line), ' that read a slot in at most
--   2 us (median), and the smallest at any price', '') || '. Counted is the coded stream with dictionary and block index; a file adds its
--   header and checksums, some dozens of bytes.',
--   'Bytes of both sides to move: the smallest of all codecs' || iif ((SELECT max (timed) FROM line), ' that read a slot of each side in at most
--   2 us (median), and the smallest at any price', '') || '; one codec with one choice of settings for both sides, in a stream each or in one.
--   (subdef reformat --best-of takes for each side the stream of its own that is smallest for it, of whichever codec.) Counted are the
--   coded streams with dictionary and block index; a file adds its header and checksums, some dozens of bytes.')} {(SELECT iif (any_baseline, 'x ' || baseline_name || ': how many
--   times smaller than ', 'No column says how many times smaller than ' || baseline_name || ' they are: no row is ') || iif (named,
--   iif (any_baseline, 'the smallest rows of this group and codec', 'of that group and codec'),
--   'LZMA in blocks of 16 KiB, no freedom, in the order of the name, in the same coding') || iif (any_baseline, ' (below 1: larger).', '.')
--   FROM fact)} {iif ((SELECT only_arrays FROM fact), '', 'WDL: won, drawn or lost. DTM: the number of moves to mate; which side mates stands
--   in the WDL table, which is not counted here, unless the codec is marked (signed). Order: the most significant man of the index first,
--   capitals White; ! stands behind the man that symmetry confines.')}
-- strong: bound_ns
-- column: table | | file
-- column: metric | | file
-- column: title | table | page
-- column: bound_ns | bound | ns desk
-- column: sides | | file
-- column: other_sides | sides | page apart
-- column: codec | codec |
-- column: freedom | | file
-- column: free | freedom | page apart
-- column: order | order (W / B) | apart
-- column: bytes | bytes | count
-- column: bits_per_position | bits/position | bits fold
-- column: get_ns | slot | ns
-- column: probe_ns | probe | ns desk
-- column: baseline_bytes | | count file
-- column: times_smaller | x {(SELECT baseline_name FROM fact)} | times desk
-- column: baseline | | file

-- Of each subject the smallest line of all sides that answers in 2 us, and the smallest of all, if that is another one.
SELECT "table", metric, title, iif (is_quickest, 2000, NULL) AS bound_ns, which_sides AS sides,
  iif (f.other_sides, replace (replace (which_sides, 'white', 'White'), 'black', 'Black'), NULL) AS other_sides, label AS codec, freedom, free, layouts AS "order", bytes, bits_per_position,
  get_ns, probe_ns, plain_bytes AS baseline_bytes, ratio AS times_smaller,
  iif (plain_bytes, f.baseline_name, '') AS baseline
FROM first JOIN line USING (line), fact f ORDER BY subject, is_quickest DESC
