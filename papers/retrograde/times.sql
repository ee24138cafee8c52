-- What subdef-gen --measure has printed: measured-4.txt, measured-5.txt.
CREATE TEMP VIEW f AS SELECT char (10) || CAST (readfile ('measured-4.txt') AS TEXT) AS four, char (10) || CAST (readfile ('measured-5.txt') AS TEXT) AS five;
CREATE TEMP TABLE n (place, name, what);
INSERT INTO n VALUES (1, 'state_ns', 'a state, ns'), (2, 'run_ns', 'a run of marks for neighbours, ns'), (3, 'mark_ns', 'a mark besides its run, ns'),
  (4, 'record_ns', 'a record that an iteration passes by, ns'), (5, 'word_ns', 'a word of 32 bits, at either end, ns'), (6, 'message_us', 'a message, at either end, us'),
  (7, 'latency_us', 'from rank to rank, the receiver waits, us'), (8, 'busy_latency_us', 'from rank to rank, the receiver looks all the time, us'),
  (9, 'bytes_per_second', 'bytes a second');
CREATE TEMP VIEW v AS SELECT place, name, what, CAST (substr (four, instr (four, char (10) || name || ' ') + length (name) + 2) AS REAL) AS four,
  CAST (substr (five, instr (five, char (10) || name || ' ') + length (name) + 2) AS REAL) AS five FROM n, f;
SELECT '| | endings with 4 men | with 5 men |';
SELECT '|---|---:|---:|';
SELECT printf ('| %s | %.4g | %.4g |', what, four, five) FROM v ORDER BY place;
SELECT '';
SELECT printf ('A mark costs nothing beside its run: what takes time is to find a word of records and to bring it from memory. A fit by states and marks alone was wrong by a factor of two between endings. The records of an ending with 4 men lie in a cache, as do those of a rank among many; the records of 5 men on two ranks do not. A message between two cores costs each of them as much as %.0f runs. A rank that waits for one sleeps, and its latency is that of the sleep.',
  1000 * (SELECT four FROM v WHERE name = 'message_us') / (SELECT four FROM v WHERE name = 'run_ns'));
