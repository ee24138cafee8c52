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

WITH placed AS (SELECT line, subject, row_number () OVER (PARTITION BY subject ORDER BY nsides DESC, bytes, get_ns IS NULL, get_ns, line) AS place,
    sum (whole) OVER (PARTITION BY subject) AS wholes FROM line WHERE listed = line AND timed),
  ends AS (SELECT subject, min (iif (place = 1, line, NULL)) AS first, min (iif (place = max (wholes, 1), line, NULL)) AS last FROM placed GROUP BY subject),
  said AS (SELECT e.subject, text_count (a.bytes) || ' bytes (' || a.label || ') to ' || text_count (b.bytes) || ' bytes (' || b.label || ')' AS about
    FROM ends e JOIN line a ON a.line = e.first JOIN line b ON b.line = e.last)
SELECT "table", metric, title, coding, label, codec, settings, freedom, free, bytes, slots_per_block, get_ns, get_p99_ns, get_low_ns, get_high_ns,
  probe_ns, probe_p99_ns, probe_low_ns, probe_high_ns, which_sides AS sides, iif (f.other_sides AND max (which_sides <> 'both') OVER (PARTITION BY p.subject), replace (replace (which_sides, 'white', 'White'), 'black', 'Black'), NULL) AS other_sides, layouts AS "order",
  iif (get_low_ns > 0 AND get_high_ns > 0, replace (text_ns (get_low_ns), substr (text_ns (get_high_ns), instr (text_ns (get_high_ns), ' ')), '') || ' to ' || text_ns (get_high_ns), NULL) AS get_bounds,
  iif (probe_low_ns > 0 AND probe_high_ns > 0, replace (text_ns (probe_low_ns), substr (text_ns (probe_high_ns), instr (text_ns (probe_high_ns), ' ')), '') || ' to ' || text_ns (probe_high_ns), NULL) AS probe_bounds,
  about
FROM placed p JOIN line l USING (line) JOIN said s ON s.subject = p.subject, fact f ORDER BY p.subject, place
