-- Two stores side by side: of every cell that both hold, its bytes and its times in the second divided by those in the first. Bytes are exact.
-- Times are not: a ratio of two has an interval, made of the bounds of both (their logarithms taken for normal), and where that contains 1 the
-- cells cannot be told apart.

-- Cells are paired that agree in all axes but those that `by` names: codecs, say, or block sizes. The coding follows from the metric and is not
-- compared where metrics differ. Of several in one store that are alike but for these the smallest counts.
CREATE TEMP TABLE keyed AS
  WITH named AS (SELECT store, c.id, bytes, iif (instr (by, ',group,'), '', "group") || char (9) || iif (instr (by, ',sides,'), '', ifnull (sides, '')) || char (9)
      || iif (instr (by, ',table,'), '', "table") || char (9) || iif (instr (by, ',metric,'), '', metric) || char (9)
      || iif (instr (by, ',coding,') OR instr (by, ',metric,'), '', coding) || char (9) || iif (instr (by, ',freedom,'), '', freedom) || char (9)
      || iif (instr (by, ',codec,'), '', codec) || char (9) || iif (instr (by, ',side,'), '', side) || char (9) || iif (instr (by, ',order,'), '', "order") || char (9)
      || iif (instr (by, ',numbering,'), '', numbering) || char (9)
      || iif (instr (by, ',codec,') OR instr (by, ',settings,'), '', settings_without (coded_settings, by)) AS key FROM all_cell c, fact)
  SELECT store, id, key FROM (SELECT *, row_number () OVER (PARTITION BY store, key ORDER BY bytes, id) AS place FROM named) WHERE place = 1;
CREATE INDEX temp.keyed_by_key ON keyed (key, store);
CREATE UNIQUE INDEX temp.cell_by_id ON all_cell (store, id);

-- Names leave out what is usual.
CREATE TEMP TABLE pair AS
  WITH name AS (SELECT store, id, substr ("group" || ' ' || "table" || ' ' || metric || iif (coding = metric, '', ' ' || coding) || ' ' || side || ' ' || freedom || ' ' || codec
      || rtrim (' ' || unusual_settings (codec, coded_settings)) || ' ' || "order" || iif (numbering = 'rows', '', ' ' || numbering), 1, 199) AS name FROM all_cell)
  SELECT row_number () OVER (ORDER BY a.key) AS pair, a.id AS a, b.id AS b, x.bytes AS a_bytes, y.bytes AS b_bytes, n.name AS a_name, m.name AS b_name
  FROM keyed a JOIN keyed b ON b.key = a.key AND b.store = 'B' JOIN all_cell x ON x.store = 'A' AND x.id = a.id JOIN all_cell y ON y.store = 'B' AND y.id = b.id
    JOIN name n ON n.store = 'A' AND n.id = a.id JOIN name m ON m.store = 'B' AND m.id = b.id WHERE a.store = 'A' ORDER BY a.key;

-- What is compared, of each pair: both values, their ratio with its bounds, as far as both have some.
CREATE TEMP TABLE quotient AS
  WITH value AS (SELECT store, id, 0 AS measure, bytes AS v, 0.0 AS off FROM all_cell
    UNION ALL SELECT store, id, 1, encode_s, iif (encode_high_s >= encode_low_s, ln (encode_high_s / encode_low_s) / 2, NULL) FROM all_cell
    UNION ALL SELECT store, id, 2, decode_s, iif (decode_high_s >= decode_low_s, ln (decode_high_s / decode_low_s) / 2, NULL) FROM all_cell
    UNION ALL SELECT store, id, 3, get_ns, iif (get_high_ns >= get_low_ns, ln (get_high_ns / get_low_ns) / 2, NULL) FROM all_cell
    UNION ALL SELECT store, id, 4, probe_ns, iif (probe_high_ns >= probe_low_ns, ln (probe_high_ns / probe_low_ns) / 2, NULL) FROM all_cell),
  both AS (SELECT pair, x.measure, nullif (x.v, 0) AS a, nullif (y.v, 0) AS b, 1.0 * nullif (y.v, 0) / nullif (x.v, 0) AS ratio, sqrt (x.off * x.off + y.off * y.off) AS off
    FROM pair p JOIN value x ON x.store = 'A' AND x.id = p.a JOIN value y ON y.store = 'B' AND y.id = p.b AND y.measure = x.measure)
  SELECT pair, measure, a, b, ratio, ratio * exp (-off) AS low, ratio * exp (off) AS high FROM both;
CREATE UNIQUE INDEX temp.quotient_by_pair ON quotient (pair, measure);
UPDATE fact SET a_rows = (SELECT count (*) FROM all_cell WHERE store = 'A'), b_rows = (SELECT count (*) FROM all_cell WHERE store = 'B'),
  cells = (SELECT count (*) FROM pair), differ = (SELECT count (*) FROM pair WHERE a_bytes <> b_bytes),
  a_only = (SELECT count (*) FROM keyed WHERE store = 'A') - (SELECT count (*) FROM pair), b_only = (SELECT count (*) FROM keyed WHERE store = 'B') - (SELECT count (*) FROM pair);
