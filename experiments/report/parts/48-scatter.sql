-- title: Times that scatter
-- level: 3
-- name: scatter
-- when: (SELECT count (*) FROM cell WHERE get_scatter > 0 OR probe_scatter > 0)
-- text: Each cell was timed several times, by turns with others. Of {(SELECT count (*) FROM cell WHERE get_scatter > 1.5 OR probe_scatter > 1.5)} of
--   {(SELECT count (*) FROM cell WHERE get_scatter > 0 OR probe_scatter > 0)} cells the medians of two repeats differ by more than a factor of 1.5:
--   their times should be taken again.
-- column: group | | file
-- column: table
-- column: metric
-- column: coding | | file
-- column: side
-- column: freedom | | file
-- column: codec
-- column: settings
-- column: order
-- column: numbering | | file
-- column: what
-- column: ns | median | ns
-- column: scatter | repeats differ by | times

-- The lookup of a slot or the whole probe, whichever scatters more.
SELECT c.*, iif (probe, 'probe', 'slot') AS what, iif (probe, probe_ns, get_ns) AS ns, iif (probe, probe_scatter, get_scatter) AS scatter
FROM (SELECT *, ifnull (probe_scatter, 0) > 1.5 AND ifnull (get_scatter, 0) < probe_scatter AS probe FROM cell) c JOIN row r USING (id)
WHERE get_scatter > 1.5 OR probe_scatter > 1.5 ORDER BY r.line, r."order", r.numbering, r.side DESC
