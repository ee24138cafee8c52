-- title: Times that scatter
-- level: 3
-- name: scatter
-- when: (SELECT count (*) FROM cell WHERE get_scatter > 0 OR probe_scatter > 0)
-- text: Each cell was timed several times, by turns with others. Of {(SELECT count (*) FROM cell WHERE get_scatter > 1.5 OR probe_scatter > 1.5)} of
--   {(SELECT count (*) FROM cell WHERE get_scatter > 0 OR probe_scatter > 0)} cells the medians of two repeats differ by more than a factor of 1.5:
--   their times should be taken again.
-- column: group | | file
-- column: table | | file
-- column: metric | | file
-- column: coding | | file
-- column: title | table | page
-- column: side | | file
-- column: side_name | side | page apart
-- column: freedom | | file
-- column: label | codec | page
-- column: free | freedom | page apart
-- column: codec | | file
-- column: settings | | file
-- column: order | | apart
-- column: numbering | | file
-- column: what | | apart
-- column: ns | median | ns desk
-- column: scatter | factor | times

-- The lookup of a slot or the whole probe, whichever scatters more.
SELECT c.*, l.settings AS settings, l.title, l.label, l.free, CASE c.side WHEN 'w' THEN 'White' WHEN 'b' THEN 'Black' ELSE 'both' END AS side_name, iif (probe, 'probe', 'slot') AS what, iif (probe, c.probe_ns, c.get_ns) AS ns, iif (probe, c.probe_scatter, c.get_scatter) AS scatter
FROM (SELECT *, ifnull (probe_scatter, 0) > 1.5 AND ifnull (get_scatter, 0) < probe_scatter AS probe FROM cell) c JOIN row r USING (id) JOIN line l USING (line)
WHERE c.get_scatter > 1.5 OR c.probe_scatter > 1.5 ORDER BY max (ifnull (c.probe_scatter, 0), ifnull (c.get_scatter, 0)) DESC, r.line, r."order", r.numbering, r.side DESC
