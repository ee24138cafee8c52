-- title: Sizes
-- name: sizes
-- text: {iif ((SELECT only_arrays FROM fact), '', 'Both sides to move together; one side: the smaller alone, from which one ply restores the other. Where
--   several orders were tried, each side has its best one. ')}{iif ((SELECT max (encode_rate) FROM line), 'M/s: million slots a second and core, measured while the other
--   cores were coding too.', '')}{(SELECT iif (any_baseline, ' x ' || baseline_name || ': how many times smaller.', '') FROM fact)}
--   {iif ((SELECT count (low_bytes) FROM line), 'Estimated: a part of the slots was coded (sampled), and what the whole table takes follows from it, with
--   bounds: 95 % of the spread between parts of that part, about what it takes at least, if it goes on to learn, and at most, if its model grows with the slots.', '')}
-- section: heading
-- about: about
-- strong: is_first
-- open:
-- column: group | | file
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
-- column: order | order (W / B) | apart
-- column: orders | orders tried | count fold
-- column: bytes | | count rises
-- column: low_bytes | at least | count desk
-- column: high_bytes | at most | count desk
-- column: times_smaller | x {(SELECT baseline_name FROM fact)} | times page desk
-- column: get_ns | slot | ns page
-- column: probe_ns | probe | ns page desk
-- column: one_side_bytes | one side, bytes | count fold
-- column: worst_bytes | | count file
-- column: mean_bytes | | count file
-- column: bits_per_position | bits/position | bits fold
-- column: slots | | count file
-- column: positions | | count file
-- column: free_slots | | count file
-- column: slots_per_block | | count file
-- column: header_bytes | header, bytes | count fold
-- column: model_bytes | model, bytes | count fold
-- column: index_bytes | index, bytes | count fold
-- column: encode_mslots_per_s | encode, M/s | tenths desk
-- column: decode_mslots_per_s | decode, M/s | round desk
-- column: groups | groups | screen page desk

-- Whole tables first, then those of which one side to move was coded, as a table of their own; the smallest first, of equal ones the quickest.
WITH placed AS (SELECT line, subject, whole, which_sides, row_number () OVER (PARTITION BY subject, whole ORDER BY bytes, get_ns IS NULL, get_ns, line) AS place
    FROM line INDEXED BY line_by_size WHERE listed = line),
  -- `last` is of the row with the greatest place
  ends AS (SELECT subject, whole, sum (which_sides <> 'both') AS sided, sum (iif (place = 1, line, 0)) AS first, line AS last, max (place) FROM placed GROUP BY subject, whole),
  turned AS (SELECT *, max (whole) OVER (PARTITION BY subject) > whole AS apart FROM ends),
  said AS MATERIALIZED (SELECT e.*, a.title || iif (apart, ', one side to move alone', '') || ': ' || text_count (a.slots) || ' slots, ' || text_count (a.positions) || ' positions' AS heading, text_count (a.bytes) || ' bytes (' || a.label || ') to ' || text_count (b.bytes) || ' bytes (' || b.label || ')' AS about
    FROM turned e JOIN line a ON a.line = e.first JOIN line b ON b.line = e.last)
SELECT l.groups AS "group", "table", metric, coding, which_sides AS sides, iif (f.other_sides AND sided, replace (replace (which_sides, 'white', 'White'), 'black', 'Black'), NULL) AS other_sides, label, codec, settings, freedom, free,
  layouts AS "order", swept_orders AS orders, bytes, low_bytes, high_bytes, iif (apart, NULL, ratio) AS times_smaller, get_ns, probe_ns, one_bytes AS one_side_bytes,
  swept_worst AS worst_bytes, swept_mean AS mean_bytes, ifnull (bits_per_position, 0) AS bits_per_position, slots, positions, free_slots, slots_per_block, header_bytes,
  model_bytes, index_bytes, encode_rate AS encode_mslots_per_s, decode_rate AS decode_mslots_per_s, iif (f.several_groups, l.groups, NULL) AS groups, line = first AS is_first,
  heading, about
FROM fact f CROSS JOIN line l INDEXED BY line_by_size JOIN said s ON s.subject = l.subject AND s.whole = l.whole WHERE listed = line
ORDER BY l.subject, l.whole DESC, bytes, get_ns IS NULL, get_ns, line
