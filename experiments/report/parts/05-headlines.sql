-- title: {ifnull ((SELECT nullif (title, '') FROM run WHERE id IN (SELECT run FROM cell) ORDER BY id DESC LIMIT 1),
--   iif ((SELECT only_arrays FROM fact), 'Arrays: size and speed', 'Endgame tables: size and speed'))}
-- text: How small {iif ((SELECT only_arrays FROM fact), 'arrays', 'chess endgame tables')} become when a codec may choose the values of slots that
--   {iif ((SELECT only_arrays FROM fact), 'may hold several', 'nobody has to look at')}, and how long one access takes. Each of the
--   {(SELECT rows FROM fact)} rows behind this page was decoded completely and every slot compared with what it may hold.
-- cards: title value remark

-- What is said first of each table, on the page, by --summary and with --json: its smallest line, timed or not, and the smallest that is known to
-- answer in 2 us, of all sides; of equal ones the last that was timed, else the first.
WITH chosen AS (SELECT *, ifnull (probe_ns, get_ns) AS ns, text_count (bytes) AS count, json_object ('codec', codec, 'settings', settings, 'coding', coding,
      'freedom', freedom, 'groups', groups, 'bytes', bytes, 'bits_per_position', ifnull (bits_per_position, 0.0), 'get_ns', get_ns, 'probe_ns', probe_ns,
      'streams', json ((SELECT json_group_array (json_object ('side', side, 'order', "order", 'numbering', numbering, 'bytes', bytes))
        FROM (SELECT * FROM best b WHERE b.line = p.line AND b.counted ORDER BY b.black)))) AS json
    FROM first JOIN line p USING (line)),
  headline AS (SELECT s.*, q.count AS quick_count, q.label AS quick_label, q.line AS quick_line, q.json AS quick_json,
      substr (s.label, 1, 100) || iif (s.layouts <> '', ', order ' || substr (s.layouts, 1, 70), '') AS name,
      iif (s.ratio >= 1, printf ('%.2f times smaller than ', s.ratio), printf ('%.2f times larger than ', 1 / s.ratio)) || substr (f.baseline_name, 1, 60) AS against,
      iif (s.timed, '; ' || iif (s.probe_ns, 'probe ', 'slot ') || text_ns (s.ns),
        iif ((SELECT max (timed) FROM line t WHERE t.subject = s.subject), '; not timed', ''))
        || iif (q.line <> s.line, '; within 2 us: ' || q.count || ' bytes (' || substr (q.label, 1, 100) || ')', '') AS time, f.baseline_name,
      iif (missing, ', "missing_cells": ' || missing || ', "failed_cells": ' || failed, '') AS unfinished
    FROM chosen s LEFT JOIN chosen q ON q.subject = s.subject AND q.is_quickest, fact f WHERE s.is_smallest),
  said AS (SELECT *, json_object ('table', "table", 'metric', metric, 'smallest', json (json), 'quick_ns', 2000, 'quick', json (quick_json),
      'baseline', iif (plain_bytes, json (json_object ('name', baseline_name, 'bytes', plain_bytes, 'times_smaller', ratio)), NULL)) AS told FROM headline)
SELECT title, count || ' bytes' AS value, name || iif (plain_bytes, '; ' || against, '') || ifnull (time, '') AS remark,
  title || ': ' || name || ': ' || count || ' bytes' || iif (plain_bytes, ', ' || against || ' (' || text_count (plain_bytes) || ' bytes)', '') || ifnull (time, '')
    AS summary,
  substr (told, 1, length (told) - 1) || unfinished || '}' AS json
FROM said ORDER BY subject
