-- Settings of :ending and :metric as they are drawn: nanoseconds and bytes of :what, the name of a series. :what = extent: the least and
-- the most of both. :what = front: also their place, and what tells a setting from others of its codec, as short as a figure needs it.
CREATE TEMP TABLE f AS SELECT *, iif (codec IN ('obdd', 'forest', 'trees', 'repair', 'huffman', 'rle'), codec, 'general') AS series
FROM "front/front" WHERE "table" = :ending AND metric = :metric;
SELECT lookup_ns, bytes FROM f WHERE series = :what;
SELECT min (lookup_ns + 0), max (lookup_ns + 0), min (bytes + 0), max (bytes + 0) FROM f HAVING :what = 'extent';
SELECT lookup_ns, bytes, place, iif (series IN ('general', 'trees') AND settings <> '', codec || ',', '') || replace (replace (replace (replace (replace (
  iif (settings = '', codec, settings), 'block=128,slots', 'slots'), ',rounds=1', ''), ',samples=1000', ''), ',leaves=1000', ''), ',initial=ternary', '')
FROM f WHERE :what = 'front' AND place <> '' ORDER BY place + 0;
