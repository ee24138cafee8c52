-- title: Whole streams (bytes), and what is estimated of them from parts: rows of error.conf as error.csv. way: the codec, of RE-PAIR also its initial
--   replacement; slots, part_slots: of the whole and of the part; low, high: the bounds.

WITH c AS (SELECT *, codec || iif (codec = 'repair', ' ' || setting (settings, 'initial'), '') AS way FROM coded)
SELECT w."table" AS "table", w.side AS side, w.way AS way, s.sampled AS part, w.slots AS slots, s.coded_slots AS part_slots, w.bytes AS bytes,
  s.bytes AS estimate, s.low_bytes AS low, s.high_bytes AS high
FROM c w JOIN c s ON s.sampled <> '' AND w.sampled IS NULL AND s."group" = w."group" AND s."table" = w."table" AND s.side = w.side AND s.way = w.way
ORDER BY length (w."table"), 1, 2, 3, s.coded_slots DESC, 4
