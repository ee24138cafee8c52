-- title: Published figures beside those of these rows
-- name: published
-- when: (SELECT count (*) FROM published)
-- text: Published tables have other endings and men than these, with other shares of free slots: directions should agree, figures need
--   not. Each side is in the smallest of the orders that the rows hold, unless a step says otherwise. Before / after: how many times
--   smaller, or quicker; steps for which rows are missing are left out.
-- column: table | | file
-- column: metric | | file
-- column: step
-- column: title | table | page
-- column: measure | | file
-- column: shown_before | before | page right
-- column: shown_after | after | page right
-- column: before | | count file
-- column: after | | count file
-- column: factor | before / after | times
-- column: saved | | percent page
-- column: published | | right
-- column: source | | fold

-- Of each step of the file the least bytes, or the times, of the rows that it names, for every table that has both.
WITH measured AS (SELECT p.rowid AS step_number, p.step, p.measure, p.published, p.source, s.*,
    (SELECT iif (p.measure = 'ns', access_ns, bytes) FROM least l WHERE l.kind = p.before AND l.subject = s.subject ORDER BY bytes LIMIT 1) AS v,
    (SELECT iif (p.measure = 'ns', access_ns, bytes) FROM least l WHERE l.kind = p.after AND l.subject = s.subject ORDER BY bytes LIMIT 1) AS w
  FROM published p, subject s WHERE p.step <> '')
SELECT "table", metric, step, title, measure, iif (measure = 'ns', text_ns (v), text_count (v)) AS shown_before,
  iif (measure = 'ns', text_ns (w), text_count (w)) AS shown_after, v AS before, w AS after, 1.0 * v / w AS factor,
  iif (measure = 'ns', NULL, 100.0 * (v - w) / v) AS saved, ifnull (published, '') AS published, ifnull (source, '') AS source
FROM measured WHERE v > 0 AND w > 0 ORDER BY step_number, subject
