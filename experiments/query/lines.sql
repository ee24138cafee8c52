-- What a report asks of a store again and again, as tables that last as long as the question: rows with the number of
-- their line and subject, the best row of each stream, lines (one table in one coding: the sides together, each in its
-- best order), subjects (a table and metric), and the smallest rows of kinds that others are compared with.
-- Made before the authorizer is at work. Cost: O(n log n) for n rows; each table is indexed by what is asked of it.

-- A row of the store: of which line and subject it is (the id of their first row tells, so that numbers rise in the order of the
-- store), and of its times the slots that were coded and the seconds that they took, 0 where it was not measured.
CREATE TEMP TABLE row (id INTEGER PRIMARY KEY, run INTEGER, line INTEGER, subject INTEGER, "group" TEXT, sides TEXT, "table" TEXT, metric TEXT,
  coding TEXT, freedom TEXT, codec TEXT, settings TEXT, side TEXT, black INTEGER, "order" TEXT, numbering TEXT, bytes INTEGER,
  encode_slots INTEGER, encode_time REAL, decode_slots INTEGER, decode_time REAL);
INSERT INTO row SELECT id, run, first_of (id, 'line', "group", sides, "table", metric, coding, freedom, codec, coded_settings),
    first_of (id, 'subject', "table", metric), "group", ifnull (sides, ''), "table", metric, coding, freedom, codec, coded_settings, side,
    side = 'b', "order", numbering, bytes, iif (encode_s > 0, coded_slots, 0), iif (encode_s > 0, encode_s, 0),
    iif (decode_s > 0, coded_slots, 0), iif (decode_s > 0, decode_s, 0)
  FROM coded ORDER BY id;
CREATE INDEX temp.row_by_line ON row (line, black, bytes);
CREATE INDEX temp.row_by_codec ON row (codec);

-- The best row of each stream: White's or that of both, Black's; with what its orders come to. Of a one-sided table only
-- the smaller stream counts. All that the store knows of it stands there, too.
CREATE TEMP TABLE stream AS
  WITH stream AS (SELECT line, black, min (subject) AS subject, count (*) AS orders, max (bytes) AS worst, avg (bytes) AS mean,
      sum (encode_slots) AS encode_slots, sum (encode_time) AS encode_time, sum (decode_slots) AS decode_slots,
      sum (decode_time) AS decode_time FROM row GROUP BY line, black)
  SELECT s.*, r.sides <> 'one' OR NOT EXISTS (SELECT 1 FROM row o WHERE o.line = s.line AND o.black <> s.black
      AND (o.bytes < r.bytes OR (o.bytes = r.bytes AND o.black < s.black))) AS counted,
    r."order" || iif (r.numbering IN ('', 'rows'), '', ' ' || r.numbering) AS layout, r.bytes AS best_bytes, r.id AS row
  FROM stream s CROSS JOIN row r ON r.id = (SELECT id FROM row b WHERE b.line = s.line AND b.black = s.black ORDER BY bytes, id LIMIT 1);
CREATE INDEX temp.stream_by_line ON stream (line, black);
CREATE TEMP VIEW best AS SELECT s.line AS line, s.black AS black, s.orders AS orders, s.worst AS worst, s.mean AS mean, s.counted AS counted,
  s.layout AS layout, c.* FROM stream s CROSS JOIN coded c ON c.id = s.row;

-- Sums over the streams of a line; times are means of the sides, where all were timed, or the longer one (99 %, unless it is below the
-- median, which other calls told). choice: the same codec with the same settings; kind_of: but for the block.
CREATE TEMP TABLE sum AS
  SELECT s.line AS line, "group", ifnull (sides, '') AS sides, "table", metric, coding, freedom, codec, coded_settings AS settings,
    min (block) AS block, count (*) AS streams, max (black) AS has_black, min (black) = 0 AS has_white,
    iif (max (side = 'wb') OR (count (*) = 2 AND sides IS NOT 'one'), 2, 1) AS nsides, max (orders) AS orders,
    iif (max (side = 'wb') OR instr (freedom, 'won'), NULL, min (bytes)) AS one_bytes,
    max (layout) FILTER (WHERE counted AND NOT black) AS white_layout, max (layout) FILTER (WHERE counted AND black) AS black_layout,
    sum (bytes) FILTER (WHERE counted) AS bytes, iif (count (low_bytes), sum (ifnull (low_bytes, bytes)) FILTER (WHERE counted), NULL) AS low_bytes,
    iif (count (high_bytes), sum (ifnull (high_bytes, bytes)) FILTER (WHERE counted), NULL) AS high_bytes, sum (worst) FILTER (WHERE counted) AS worst_bytes,
    sum (mean) FILTER (WHERE counted) AS mean_bytes, sum (slots) FILTER (WHERE counted) AS slots,
    sum (positions) FILTER (WHERE counted) AS positions, sum (free_slots) FILTER (WHERE counted) AS free_slots,
    sum (blocks) FILTER (WHERE counted) AS blocks, sum (header_bytes) FILTER (WHERE counted) AS header_bytes,
    sum (model_bytes) FILTER (WHERE counted) AS model_bytes, sum (index_bytes) FILTER (WHERE counted) AS index_bytes,
    iif (count (get_ns) FILTER (WHERE counted) = sum (counted), nullif (avg (get_ns) FILTER (WHERE counted), 0), NULL) AS get_ns,
    iif (max (get_p99_ns) FILTER (WHERE counted) >= avg (get_ns) FILTER (WHERE counted), max (get_p99_ns) FILTER (WHERE counted), NULL) AS get_p99_ns,
    avg (get_low_ns) FILTER (WHERE counted) AS get_low_ns, avg (get_high_ns) FILTER (WHERE counted) AS get_high_ns,
    iif (count (probe_ns) FILTER (WHERE counted) = sum (counted), nullif (avg (probe_ns) FILTER (WHERE counted), 0), NULL) AS probe_ns,
    iif (max (probe_p99_ns) FILTER (WHERE counted) >= avg (probe_ns) FILTER (WHERE counted), max (probe_p99_ns) FILTER (WHERE counted), NULL) AS probe_p99_ns,
    avg (probe_low_ns) FILTER (WHERE counted) AS probe_low_ns, avg (probe_high_ns) FILTER (WHERE counted) AS probe_high_ns,
    max (CASE WHEN counted THEN ifnull (get_ns, 1e300) END) AS slowest_ns, min (s.subject) AS subject,
    sum (encode_slots) / nullif (sum (encode_time), 0) / 1e6 AS encode_rate, sum (decode_slots) / nullif (sum (decode_time), 0) / 1e6 AS decode_rate,
    first_of (s.line, 'choice', codec, coding, freedom, coded_settings, ifnull (sides, ''), metric) AS choice,
    first_of (s.line, 'kind', codec, coding, freedom, settings_without (coded_settings, 'block')) AS kind_of
  FROM stream s CROSS JOIN coded c ON c.id = s.row GROUP BY s.line ORDER BY s.line;
CREATE UNIQUE INDEX temp.sum_by_line ON sum (line);

-- A table and metric; orders: how many different ones, with their numberings, the rows of a side hold; file: its part of the names of
-- files, with a number where tables before it have the same.
CREATE TEMP TABLE subject AS
  WITH tried AS (SELECT subject, count (*) AS n FROM (SELECT DISTINCT subject, side, "order", numbering FROM row) GROUP BY subject, side),
    most AS (SELECT subject, max (n) AS orders FROM tried GROUP BY subject),
    sided AS (SELECT subject, max (nsides) AS sides FROM sum GROUP BY subject),
    named AS (SELECT s.subject AS subject, "table", metric, substr ("table", 1, 63) || ' ' || metric_title (metric) AS title, s.sides AS sides, m.orders AS orders,
      file_part ("table") AS part FROM sided s JOIN most m USING (subject) JOIN row r ON r.id = s.subject)
  SELECT subject, "table", metric, title, sides, orders, part || CASE row_number () OVER (PARTITION BY part, metric ORDER BY subject)
    WHEN 1 THEN '' ELSE '_' || row_number () OVER (PARTITION BY part, metric ORDER BY subject) END || '_' || file_part (metric) AS file
  FROM named;
CREATE UNIQUE INDEX temp.subject_by_number ON subject (subject);

-- ---------------------------------------------------------------- what others are compared with

-- Kinds of rows, "GROUP/CODEC" or "GROUP/CODEC/KEY=VALUE,...", GROUP "*" is any: the baseline, and those of published figures.
CREATE TEMP TABLE kind AS
  WITH asked (kind) AS (SELECT baseline FROM fact UNION SELECT before FROM published UNION SELECT after FROM published),
    cut AS (SELECT kind, substr (kind, 1, instr (kind, '/') - 1) AS "group", substr (kind, instr (kind, '/') + 1) || '/' AS rest
      FROM asked WHERE instr (kind, '/'))
  SELECT kind, "group", substr (rest, 1, instr (rest, '/') - 1) AS codec, trim (substr (rest, instr (rest, '/') + 1), '/') AS pairs
  FROM cut;

-- The smallest rows of a kind of all sides of a subject in one coding: those of the sides, or one of both. ns: of a slot;
-- access_ns: of a probe where it was timed. order=name: the order of the name.
CREATE TEMP TABLE least AS
  WITH fit AS (SELECT k.kind, r.subject, r.coding, r.side, r.black, r.id, r.bytes,
      row_number () OVER (PARTITION BY k.kind, r.subject, r.coding, r.side = 'wb', r.black ORDER BY r.bytes, r.id) AS place
    FROM kind k CROSS JOIN row r ON r.codec = k.codec AND (k."group" = '*' OR r."group" = k."group")
      AND r.coding <> '' AND has_settings (k.pairs, 'coding=' || coding || ',freedom=' || freedom || ',sides=' || sides || ',order=' || "order"
        || ',numbering=' || numbering || iif (numbering = 'rows' AND "order" = plain_order ("table"), ',order=name', '') || ',' || settings)),
    turned AS (SELECT f.kind, f.subject, f.coding, s.sides,
      max (id) FILTER (WHERE side <> 'wb' AND NOT black) AS w, max (bytes) FILTER (WHERE side <> 'wb' AND NOT black) AS w_bytes,
      max (id) FILTER (WHERE black) AS b, max (bytes) FILTER (WHERE black) AS b_bytes,
      max (id) FILTER (WHERE side = 'wb') AS j, max (bytes) FILTER (WHERE side = 'wb') AS j_bytes
    FROM fit f JOIN subject s USING (subject) WHERE place = 1 GROUP BY f.kind, f.subject, f.coding),
    apart AS (SELECT *, iif (sides = 1 AND w IS NOT NULL AND b_bytes < w_bytes, NULL, w) AS first,
      iif (sides = 1 AND w IS NOT NULL AND NOT b_bytes < w_bytes, NULL, b) AS second,
      CASE WHEN sides > 1 THEN w_bytes + b_bytes ELSE min (ifnull (w_bytes, b_bytes), ifnull (b_bytes, w_bytes)) END AS apart_bytes
    FROM turned),
    chosen AS (SELECT kind, subject, coding, iif (j_bytes < ifnull (apart_bytes, 1e300), j, first) AS first,
      iif (j_bytes < ifnull (apart_bytes, 1e300), NULL, second) AS second, min (ifnull (j_bytes, apart_bytes), ifnull (apart_bytes, j_bytes)) AS bytes
    FROM apart WHERE apart_bytes IS NOT NULL OR j IS NOT NULL)
  SELECT c.*, (SELECT iif (count (get_ns) = count (*), avg (get_ns), NULL) FROM cell WHERE id IN (c.first, c.second)) AS ns,
    (SELECT avg (coalesce (nullif (probe_ns, 0), get_ns)) FROM cell WHERE id IN (c.first, c.second)) AS access_ns
  FROM chosen c;
CREATE INDEX temp.least_by_kind ON least (kind, subject, coding);

-- --------------------------------------------------------------------------------------- lines

-- label, shown: with the settings in which lines of the same subject and codec differ; plain...: of the baseline in the line's own coding, unless the user names one.
CREATE TEMP TABLE line AS
  WITH common AS (SELECT subject, codec, common_settings (settings) AS settings FROM sum GROUP BY subject, codec),
    named AS (SELECT s.*, u.title AS title, u.sides AS all_sides, u.file AS file, shown_settings (s.settings, c.settings) AS shown,
      (SELECT p.rowid FROM least p WHERE p.kind = f.baseline AND p.subject = u.subject
        AND (p.coding = s.coding OR (instr (f.baseline, 'coding=') AND s.coding <> '')) ORDER BY p.bytes LIMIT 1) AS plain
    FROM sum s CROSS JOIN subject u USING (subject) CROSS JOIN common c USING (subject, codec) CROSS JOIN fact f)
  SELECT n.*, n.nsides = n.all_sides AS whole,
    n.codec || CASE WHEN n.block = 0 THEN '' WHEN n.block >= 1024 AND n.block % 1024 = 0 THEN ' ' || (n.block / 1024) || ' KiB'
      ELSE ' ' || n.block || ' B' END || n.shown || iif (n.coding = 'signed', ' (signed)', '') || iif (n.low_bytes IS NULL, '', ' (estimated)') AS label,
    n.codec || n.shown AS codec_shown,
    iif (n.freedom = 'all', 'used', n.freedom) AS free,
    CASE WHEN n.sides <> '' THEN n.sides WHEN n.streams = 2 THEN 'both' WHEN n.all_sides = 1 THEN '' WHEN n.has_black THEN 'black' ELSE 'white' END
      AS which_sides,
    CASE WHEN white_layout <> black_layout THEN white_layout || ' / ' || black_layout ELSE ifnull (white_layout, black_layout) END AS layouts,
    p.bytes AS plain_bytes, p.ns AS plain_ns, p.first AS plain_first, p.second AS plain_second, 1.0 * p.bytes / n.bytes AS ratio,
    8.0 * n.bytes / nullif (n.positions, 0) AS bits_per_position, 1.0 * n.slots / max (n.blocks, 1) AS slots_per_block,
    n.line AS listed, n.orders AS swept_orders, n.worst_bytes AS swept_worst, n.mean_bytes AS swept_mean, n."group" AS groups,
    ifnull (n.get_ns, n.probe_ns) IS NOT NULL AS timed
  FROM named n LEFT JOIN least p ON p.rowid = n.plain;
CREATE UNIQUE INDEX temp.line_by_number ON line (line);
CREATE INDEX temp.line_by_subject ON line (subject, "group");
CREATE INDEX temp.line_by_choice ON line (choice, subject);
CREATE INDEX temp.line_by_kind ON line (subject, kind_of);

-- Cells that stand in several groups (the best order of one group is an order of another one) are listed once, by the line
-- with most times, with the names of all groups: lines are twins if they differ in their group only and have the same best rows.
CREATE TEMP TABLE twin AS
  WITH several AS (SELECT choice, subject FROM line GROUP BY choice, subject HAVING count (*) > 1),
    face AS (SELECT line, group_concat (black || layout || ' ' || best_bytes, '/') AS face FROM (SELECT s.* FROM several JOIN line l USING (choice, subject)
      JOIN stream s ON s.line = l.line ORDER BY s.line, s.black) GROUP BY line),
    met AS (SELECT l.line, l."group", l.orders, l.worst_bytes, l.mean_bytes,
      count (*) OVER (PARTITION BY l.subject, l.choice, f.face) AS twins,
      first_value (l.line) OVER (PARTITION BY l.subject, l.choice, f.face ORDER BY (l.get_ns IS NOT NULL) + (l.probe_ns IS NOT NULL) DESC, l.line) AS listed,
      first_value (l.line) OVER (PARTITION BY l.subject, l.choice, f.face ORDER BY l.orders DESC,
        (l.get_ns IS NOT NULL) + (l.probe_ns IS NOT NULL) DESC, l.line) AS swept
    FROM line l JOIN face f USING (line))
  SELECT * FROM met WHERE twins > 1 ORDER BY line;
CREATE INDEX temp.twin_by_listed ON twin (listed);
UPDATE line SET listed = t.listed FROM twin t WHERE t.line = line.line;
UPDATE line SET groups = (SELECT group_concat ("group", ', ') FROM twin t WHERE t.listed = line.line),
    (swept_orders, swept_worst, swept_mean) = (SELECT s.orders, s.worst_bytes, s.mean_bytes FROM twin t JOIN line s ON s.line = t.swept
      WHERE t.line = line.line)
  WHERE line IN (SELECT listed FROM twin);
CREATE INDEX temp.line_by_listed ON line (subject, listed);
-- as tables list them: whole ones first, the smallest first, of equal ones the quickest
CREATE INDEX temp.line_by_size ON line (subject, whole DESC, bytes, get_ns IS NULL, get_ns, line);

-- Of each subject the smallest line of all sides, and the smallest that is known to read a slot in 2 us, by each side; of equal ones the last
-- that was timed, else the first.
CREATE TEMP TABLE first AS
  WITH least AS (SELECT subject, min (bytes) AS bytes FROM line WHERE listed = line AND whole GROUP BY subject
      UNION SELECT subject, min (bytes) FROM line WHERE listed = line AND whole AND slowest_ns <= 2000 GROUP BY subject),
    placed AS (SELECT line, slowest_ns <= 2000 AND row_number () OVER (PARTITION BY subject, slowest_ns <= 2000
        ORDER BY bytes, get_ns IS NULL, iif (get_ns IS NULL, line, -line)) = 1 AS is_quickest,
      row_number () OVER (PARTITION BY subject ORDER BY bytes, get_ns IS NULL, iif (get_ns IS NULL, line, -line)) = 1 AS is_smallest
    FROM least JOIN line USING (subject, bytes) WHERE listed = line AND whole)
  SELECT * FROM placed WHERE is_quickest OR is_smallest;

-- What several parts of a report look at: of each choice of codec and settings and each table the smallest line that has a baseline,
-- beside it; in the same order: its rows in the layouts of the baseline, where all sides have one.
CREATE TEMP TABLE pair AS
  WITH alone AS (SELECT *, row_number () OVER (PARTITION BY choice, subject ORDER BY bytes, line) AS place FROM line WHERE plain_bytes AND whole),
    same AS (SELECT a.line, sum (r.bytes) AS bytes FROM alone a CROSS JOIN row p ON p.id IN (a.plain_first, a.plain_second)
      JOIN row r ON r.line = a.line AND r.black = p.black AND r."order" = p."order" AND r.numbering = p.numbering AND r.side = p.side
      WHERE place = 1 GROUP BY a.line HAVING count (*) = (min (a.plain_first) IS NOT NULL) + (min (a.plain_second) IS NOT NULL))
  SELECT a.*, 1.0 * a.bytes / a.plain_bytes AS bytes_ratio, s.bytes AS same_order_bytes, 1.0 * s.bytes / a.plain_bytes AS same_order_ratio,
    a.get_ns / nullif (a.plain_ns, 0) AS get_ratio FROM alone a LEFT JOIN same s USING (line) WHERE place = 1 ORDER BY a.choice, a.subject;

-- Lines with blocks that were timed: of each block of a kind the smallest. A view gives all that is known of them.
CREATE TEMP TABLE curve_line AS
  SELECT line, subject, kind_of, block, get_ns FROM (SELECT line, subject, kind_of, block, get_ns, row_number () OVER (PARTITION BY subject, kind_of, block
    ORDER BY bytes, line) AS place FROM line WHERE block > 0 AND get_ns > 0 AND whole) WHERE place = 1 ORDER BY subject, kind_of, block;
CREATE INDEX temp.curve_by_kind ON curve_line (subject, kind_of, block);
CREATE TEMP VIEW curve AS SELECT l.* FROM curve_line c CROSS JOIN line l ON l.line = c.line;

-- Steps of a staircase (papers/staircase): groups whose names begin with a number, "1-lzma", "2-order", ..., each of which takes one step more.
-- A table takes part in a step where it has rows of it and of the first, the smallest line of each. Ratios are of whole tables, one each.
CREATE TEMP TABLE stair AS
  WITH named AS (SELECT DISTINCT "group", substr ("group", 1, instr ("group", '-') - 1) AS digits, substr ("group", instr ("group", '-') + 1) AS rest FROM line),
    step AS MATERIALIZED (SELECT "group", CAST (digits AS INTEGER) AS step, rest FROM named
      WHERE digits <> '' AND digits NOT GLOB '*[^0-9]*' AND length (digits) < 4 AND CAST (digits AS INTEGER) > 0 AND rest <> ''),
    numbered AS (SELECT line, subject, "table", metric, bytes, get_ns, step,
      CASE WHEN rest LIKE '_%-' || metric THEN substr (rest, 1, length (rest) - length (metric) - 1) ELSE rest END AS what,
      row_number () OVER (PARTITION BY step, subject ORDER BY bytes, line) AS place
    FROM step CROSS JOIN line USING ("group") WHERE whole OR sides = 'one'),
    start AS (SELECT subject, bytes AS first_bytes, get_ns AS first_ns FROM numbered n
      WHERE place = 1 AND step = (SELECT min (step) FROM numbered m WHERE m.metric = n.metric)),
    chain AS (SELECT n.*, 1.0 * bytes / first_bytes AS by_first, get_ns / first_ns AS time,
      1.0 * ifnull (lag (bytes) OVER (PARTITION BY subject ORDER BY step), bytes) / bytes AS gain FROM numbered n JOIN start USING (subject) WHERE place = 1)
  SELECT metric, step, at_most (-subject, what) AS what, count (*) AS tables, sum (bytes) AS bytes, geomean (by_first) AS by_first,
    geomean_low (by_first) AS low, geomean_high (by_first) AS high, geomean (gain) AS gain, min (gain) AS least_gain, at_most (-gain, "table") AS least_table,
    max (gain) AS greatest_gain, at_most (gain, "table") AS greatest_table, geomean (time) AS time_by_first, min (by_first) AS least,
    exp (quantile (ln (by_first), 0.25)) AS q25, exp (median (ln (by_first))) AS q50, exp (quantile (ln (by_first), 0.75)) AS q75, max (by_first) AS most,
    min (subject) AS first_subject, count (*) OVER (PARTITION BY metric) AS steps
  FROM chain GROUP BY metric, step;

UPDATE fact SET any_baseline = EXISTS (SELECT 1 FROM line WHERE plain_bytes), only_arrays = NOT EXISTS (SELECT 1 FROM sum WHERE metric <> 'array'),
  rows = (SELECT count (*) FROM row), several_groups = (SELECT count (DISTINCT "group") > 1 FROM line),
  other_sides = EXISTS (SELECT 1 FROM line WHERE sides <> ''),
  failed = (SELECT count (*) FROM failure WHERE key NOT IN (SELECT key FROM cell));
-- Rows that the run that began last expected and that are not there; runs of older programs do not say.
UPDATE fact SET missing = max (failed, ifnull ((SELECT expected_rows FROM run ORDER BY id DESC LIMIT 1), 0) - rows);
