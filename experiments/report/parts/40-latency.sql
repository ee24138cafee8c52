-- title: Latency
-- name: latency
-- text: One thread while the other jobs rest, warm mapping, random {iif ((SELECT only_arrays FROM fact), 'slots. Slot: one value.', 'legal positions. Slot: one
--   value read from the stream. Probe: the whole answer as an engine gets it, captures and promotions looked up in the smaller tables (these in
--   RE-PAIR, 128-byte blocks); for DTM the WDL table is asked first. A probe may
--   be quicker than a slot: a draw that the WDL table tells needs no slot of DTM, captures that decide need no slot of a large WDL table, and
--   the shortest calls are timed several together, which overlap. The medians of the two sides are averaged, for 99 % the slower side counts;
--   every answer was compared with the exact value.')}
-- section: title
-- about: about
-- column: table | | file
-- column: metric | | file
-- column: coding | | file
-- column: sides | | file
-- column: other_sides | sides | page apart
-- column: label | codec | page
-- column: codec | | file
-- column: settings | | file
-- column: freedom | | file
-- column: free | freedom | page
-- column: order | order (W / B) | page apart
-- column: bytes | | count rises desk
-- column: slots_per_block | slots a block | count fold
-- column: get_ns | slot, median | ns
-- column: get_p99_ns | slot, 99 % | ns desk
-- column: get_low_ns | | ns file
-- column: get_high_ns | | ns file
-- column: get_bounds | slot, 95 % | right screen page desk
-- column: probe_ns | probe, median | ns
-- column: probe_p99_ns | probe, 99 % | ns desk
-- column: probe_low_ns | | ns file
-- column: probe_high_ns | | ns file
-- column: probe_bounds | probe, 95 % | right screen page desk

WITH placed AS (SELECT line, subject, whole, which_sides, row_number () OVER (PARTITION BY subject ORDER BY whole DESC, bytes, get_ns IS NULL, get_ns, line) AS place
    FROM line INDEXED BY line_by_size WHERE listed = line AND timed),
  -- `last` is of the whole table with the greatest place, or of the first one
  ends AS (SELECT subject, sum (which_sides <> 'both') AS sided, sum (iif (place = 1, line, 0)) AS first, line AS last, max (iif (whole OR place = 1, place, 0))
    FROM placed GROUP BY subject),
  said AS MATERIALIZED (SELECT e.*, text_count (a.bytes) || ' bytes (' || a.label || ') to ' || text_count (b.bytes) || ' bytes (' || b.label || ')' AS about
    FROM ends e JOIN line a ON a.line = e.first JOIN line b ON b.line = e.last)
SELECT "table", metric, title, coding, label, codec, settings, freedom, free, bytes, slots_per_block, get_ns, get_p99_ns, get_low_ns, get_high_ns,
  probe_ns, probe_p99_ns, probe_low_ns, probe_high_ns, which_sides AS sides, iif (f.other_sides AND sided, replace (replace (which_sides, 'white', 'White'), 'black', 'Black'), NULL) AS other_sides, layouts AS "order",
  ns_bounds (get_low_ns, get_high_ns) AS get_bounds, ns_bounds (probe_low_ns, probe_high_ns) AS probe_bounds, about
FROM line l INDEXED BY line_by_size CROSS JOIN said s ON s.subject = l.subject, fact f WHERE listed = line AND timed
ORDER BY l.subject, whole DESC, bytes, get_ns IS NULL, get_ns, line
