-- A store of 100,800 rows of made-up sizes from a small one, to measure a report on: sqlite3 small.db < many.sql
-- `orders`: 35 endings, both metrics, both sides, 24 orders and 30 settings. `settings`: the same endings, 720 settings each that no
-- other table has, half of them of a codec that the build does not know. The first row of the store gives the rest of each row.
-- Keep the one or the other:  sqlite3 big.db "DELETE FROM cell WHERE \"group\" <> 'orders'"
PRAGMA synchronous = OFF;
BEGIN;
CREATE TEMP TABLE piece (letter TEXT, value INTEGER);
INSERT INTO piece VALUES ('Q', 5), ('R', 4), ('B', 3), ('N', 2), ('P', 1);
CREATE TEMP TABLE ending (name TEXT, a TEXT, b TEXT, c TEXT, rest TEXT);
INSERT INTO ending SELECT 'K' || x.letter || y.letter || 'vK', x.letter, y.letter, 'k', '' FROM piece x, piece y WHERE x.value > y.value;
INSERT INTO ending SELECT 'K' || x.letter || 'vK' || y.letter, x.letter, 'k', lower (y.letter), '' FROM piece x, piece y
  WHERE x.value > y.value;
INSERT INTO ending SELECT 'K' || x.letter || y.letter || 'vK' || z.letter, x.letter, y.letter, 'k', lower (z.letter)
  FROM piece x, piece y, piece z WHERE x.value > y.value ORDER BY x.value, y.value, z.value LIMIT 15;
CREATE TEMP TABLE place AS SELECT e.name, o.column1 AS n,
  'K' || CASE o.column1 / 4 WHEN 0 THEN a || b || c WHEN 1 THEN a || c || b WHEN 2 THEN b || a || c WHEN 3 THEN b || c || a
    WHEN 4 THEN c || a || b ELSE c || b || a END || rest AS piece_order,
  CASE o.column1 % 4 WHEN 0 THEN 'rows' WHEN 1 THEN 'z' WHEN 2 THEN 'folded' ELSE 'hilbert' END AS numbering
  FROM ending e, (WITH RECURSIVE i (column1) AS (SELECT 0 UNION ALL SELECT column1 + 1 FROM i WHERE column1 < 23) SELECT * FROM i) o;
CREATE TEMP TABLE metric (name TEXT, coding TEXT);
INSERT INTO metric VALUES ('wdl', 'wdl'), ('dtm', 'moves');
CREATE TEMP TABLE side (name TEXT);
INSERT INTO side VALUES ('w'), ('b');
CREATE TEMP TABLE template AS SELECT * FROM cell ORDER BY id LIMIT 1;
DELETE FROM cell;

CREATE TEMP TABLE made AS
  WITH RECURSIVE i (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM i WHERE n < 29)
  SELECT 'orders' AS "group", p.name AS ending, m.name AS metric, m.coding AS coding, s.name AS side, p.piece_order, p.numbering,
    'zstd' AS codec, 'level=' || (1 + i.n / 2) || ',block=' || (1024 << (3 * (i.n % 2))) AS settings, 1024 << (3 * (i.n % 2)) AS block,
    10000 + (i.n * 7919 + p.n * 104729 + length (p.name) * 31 + unicode (m.name) * 17 + unicode (s.name)) % 9973 AS bytes
  FROM place p, metric m, side s, i;
INSERT INTO made
  WITH RECURSIVE i (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM i WHERE n < 719)
  SELECT 'settings', e.name, m.name, m.coding, s.name, p.piece_order, p.numbering, CASE i.n % 2 WHEN 0 THEN 'zstd' ELSE 'later' END,
    CASE i.n % 2 WHEN 0 THEN 'level=' || (1 + i.n % 19) || ',block=' ELSE 'a=' || i.n || ',b=' END || (1024 + i.n + 720 * e.rowid),
    CASE i.n % 2 WHEN 0 THEN 1024 + i.n + 720 * e.rowid ELSE 0 END, 10000 + (i.n * 7919 + e.rowid * 104729 + unicode (s.name)) % 9973
  FROM ending e JOIN place p ON p.name = e.name AND p.n = 0, metric m, side s, i;
INSERT INTO cell (key, run, finished, "group", sides, "table", metric, coding, freedom, codec, settings, side, "order", numbering, block,
    main, threads, slots, positions, free_slots, bytes, payload_bytes, blocks, encode_s, decode_s, get_ns, get_p99_ns, get_samples,
    get_low_ns, get_high_ns, get_scatter)
  SELECT m."group" || m.rowid, t.run, t.finished, m."group", NULL, m.ending, m.metric, m.coding, 'all', m.codec, m.settings, m.side,
    m.piece_order, m.numbering, m.block, t.main, t.threads, t.slots, t.positions, t.free_slots, m.bytes, m.bytes, 64, 0.5, 0.25,
    100 + m.bytes % 997, 900, 1000, 90 + m.bytes % 997, 115 + m.bytes % 997, 1.1
  FROM made m, template t;
COMMIT;
