-- figure: lines
-- section: title
-- title: {title}: {what} against block size
-- x: binary | block size
-- y: {unit} | {upright}
-- legend: freedom used | no freedom
-- caption: {title}: {measure} against the size of a block, both axes logarithmic. Bytes of a block are counted before coding by the library codecs,
--   after it by the other ones.{level}{apart}{bars}{left_out}{one_sided}

-- Size, and time of a lookup, over what a sweep varies: the setting `block`. A curve is a codec with one choice of settings (the block left aside),
-- coding and freedom; its points are the smallest lines for each block. A codec without blocks is a level line. Where a figure would have more than
-- 12 curves, the smallest of each codec, coding and freedom stay, of still more those of each codec and coding, or of each codec. Names hold the
-- settings in which curves of the same codec differ.
WITH way (way) AS (VALUES (0), (1)),
  kind AS (SELECT subject, kind_of, codec, coding, freedom, min (line) AS first, min (bytes) AS least, count (DISTINCT block) AS points, min (block) AS shortest,
      min (line) FILTER (WHERE timed) AS first_timed, min (bytes) FILTER (WHERE timed) AS least_timed, count (DISTINCT block) FILTER (WHERE timed) AS points_timed,
      min (block) FILTER (WHERE timed) AS shortest_timed FROM line WHERE whole GROUP BY subject, kind_of),
  curve AS (SELECT 0 AS way, subject, kind_of, codec, coding, freedom, first, least, points, shortest FROM kind
    UNION ALL SELECT 1, subject, kind_of, codec, coding, freedom, first_timed, least_timed, points_timed, shortest_timed FROM kind WHERE points_timed),
  ranked AS (SELECT *, count (*) OVER (PARTITION BY way, subject) AS curves,
      row_number () OVER (PARTITION BY way, subject, codec, coding, freedom ORDER BY least, first) AS of_freedom FROM curve),
  ahead AS (SELECT *, count (*) OVER (PARTITION BY way, subject) AS freedoms,
      row_number () OVER (PARTITION BY way, subject, codec, coding ORDER BY least, first) AS of_coding,
      row_number () OVER (PARTITION BY way, subject, codec ORDER BY least, first) AS of_codec FROM ranked WHERE of_freedom = 1),
  counted AS (SELECT *, sum (of_coding = 1) OVER (PARTITION BY way, subject) AS codings FROM ahead),
  thinned AS (SELECT way, subject, kind_of, codec, coding, freedom, first, points, shortest, iif (curves > 12, 1, 0) AS cut FROM ranked WHERE of_freedom > 1
    UNION ALL SELECT way, subject, kind_of, codec, coding, freedom, first, points, shortest, CASE WHEN freedoms > 12 AND of_coding > 1 THEN 2
      WHEN codings > 12 AND of_codec > 1 THEN 3 ELSE 0 END FROM counted),
  gone AS (SELECT way, subject, cut, codec || ' (' || count (*) || ')' AS codecs, min (first) AS first FROM thinned WHERE cut GROUP BY way, subject, cut, codec),
  said AS (SELECT way, subject, cut, CASE cut WHEN 1 THEN ' Left out, larger lines of the same codec with other settings: '
        WHEN 2 THEN ' Left out, larger lines of the same codec and coding: ' ELSE ' Left out, larger lines of the same codec: ' END
        || group_concat (codecs, ', ') || '.' AS text FROM (SELECT * FROM gone ORDER BY way, subject, cut, first) GROUP BY way, subject, cut),
  left_out AS (SELECT way, subject, group_concat (text, '') AS text FROM (SELECT * FROM said ORDER BY way, subject, cut) GROUP BY way, subject),
  kept AS (SELECT t.*, l.sides, settings_without (l.settings, 'block') AS settings FROM thinned t JOIN line l ON l.line = t.first WHERE NOT cut),
  common AS (SELECT way, subject, codec, common_settings (settings) AS common, min (sides) <> max (sides) AS by_sides FROM kept GROUP BY way, subject, codec),
  span AS (SELECT way, subject, sum (points = 1 AND shortest = 0) AS levels, sum (points = 1 AND shortest > 0) AS singles FROM kept GROUP BY way, subject HAVING max (points > 1 AND shortest > 0)),
  one_sided AS (SELECT way, subject, iif (way, timed, lines) AS n FROM way, (SELECT subject, count (*) AS lines, sum (timed) AS timed FROM line WHERE NOT whole
    GROUP BY subject) WHERE n),
  placed AS (SELECT k.way, k.first AS curve_first, levels, singles, k.points = 1 AND block = 0 AS level, l.line, l.subject, l.kind_of, l.block, l.bytes, l.freedom, l.layouts,
      get_ns, get_low_ns, get_high_ns, probe_ns, probe_low_ns, probe_high_ns,
      row_number () OVER (PARTITION BY k.way, k.subject, k.kind_of, block ORDER BY bytes, line) AS place,
      k.codec || shown_settings (k.settings, common) || iif (by_sides AND k.sides <> '', ' ' || k.sides, '') || iif (k.coding = 'signed', ' (signed)', '')
        || iif (k.freedom IN ('all', 'none'), '', ', freedom ' || k.freedom)
        || iif (k.points = 1 AND block = 0 AND k.freedom = 'none', ', no freedom', '') AS name
    FROM kept k JOIN span USING (way, subject) JOIN common c ON c.way = k.way AND c.subject = k.subject AND c.codec = k.codec
    CROSS JOIN line l ON l.subject = k.subject AND l.kind_of = k.kind_of WHERE (timed OR NOT k.way) AND whole),
  drawn AS (SELECT *, max (get_ns > 0) OVER (PARTITION BY way, subject) AS lookups,
      layouts <> lag (layouts) OVER (PARTITION BY way, subject, kind_of ORDER BY block) AS turned FROM placed WHERE place = 1),
  measured AS (SELECT *, CASE WHEN NOT way THEN bytes WHEN lookups THEN get_ns ELSE probe_ns END AS y,
      CASE WHEN NOT way THEN NULL WHEN lookups THEN get_low_ns ELSE probe_low_ns END AS least,
      CASE WHEN NOT way THEN NULL WHEN lookups THEN get_high_ns ELSE probe_high_ns END AS most FROM drawn),
  shown AS (SELECT *, iif (least > 0 AND least <= y AND most >= y, least, NULL) AS low, iif (least > 0 AND least <= y AND most >= y, most, NULL) AS high,
      count (y) OVER (PARTITION BY way, subject, kind_of) AS any FROM measured)
SELECT iif (s.way, 'latency_', 'size_') || file AS figure, title, s.kind_of AS curve, n.codec AS series, name AS label, iif (level, NULL, s.block) AS x, y, low, high,
  s.freedom = 'none' AS hollow, s.layouts AS part, iif (s.way, 'time', 'size') AS what, iif (s.way, 'time', 'bytes') AS unit,
  CASE WHEN NOT s.way THEN 'bytes of ' || iif (all_sides = 2, 'both sides to move', 'one side to move') WHEN lookups THEN 'median time of a lookup'
    ELSE 'median time of a whole probe' END AS upright,
  CASE WHEN NOT s.way THEN 'size, of each kind the smallest row,' WHEN lookups THEN 'median time of a lookup' ELSE 'median time of a whole probe' END AS measure,
  iif (levels, ' A level line is a codec without blocks.', '') || iif (singles, ' A codec with a single mark was measured with one block size.', '') AS level,
  iif (max (ifnull (turned, 0)) OVER f, ' Points of different piece orders are not joined.', '') AS apart,
  iif (count (low) OVER f, ' Bars: 95 % bounds of the median.', '') AS bars, ifnull (l.text, '') AS left_out,
  ifnull (' ' || o.n || iif (o.n = 1, ' line of one side only is left out.', ' lines of one side only are left out.'), '') AS one_sided
FROM shown s JOIN line n USING (line) LEFT JOIN left_out l ON l.way = s.way AND l.subject = s.subject LEFT JOIN one_sided o ON o.way = s.way AND o.subject = s.subject
WHERE any WINDOW f AS (PARTITION BY s.way, s.subject) ORDER BY s.way, s.subject, curve_first, s.block
