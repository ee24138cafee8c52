-- Times of probes: warm LZMA beside RE-PAIR.
CREATE TEMP VIEW a AS SELECT "table" AS t, codec, block + 0 AS block, probe_ns + 0.0 AS ns FROM "repair/access";
CREATE TEMP VIEW q AS SELECT l.t, l.ns / r.ns AS times FROM a l JOIN a r ON l.t = r.t AND l.codec = 'lzma' AND l.block = 1024 AND r.codec = 'repair' AND r.block = 1024;
SELECT printf ('* **RE-PAIR** is %.0f to %.0f times as fast as LZMA, both in blocks of 1 kB.', min (times), max (times)) FROM q;
