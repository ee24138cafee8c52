-- The ten statements of Nemec 2007 that figures can decide.
CREATE TEMP VIEW d AS SELECT fen, men + 0 AS men, max (iif ("table" = 'no' AND nodes + 0 <= 5000000, depth + 0, 0)) AS without,
  max (iif ("table" = 'yes' AND nodes + 0 <= 5000000, depth + 0, 0)) AS with_ FROM "transposition/depth" GROUP BY 1;
CREATE TEMP VIEW s AS SELECT men + 0 AS men, fen, max (iif ("table" = 'yes', 8.0 * stores / nodes, 0)) AS bytes FROM "transposition/depth" WHERE nodes + 0 > 1000000 GROUP BY fen;
CREATE TEMP VIEW f AS SELECT sum (false_matches) AS found, sum (others / pow (2, code_bits)) AS expected, sum (false_uses) AS uses, sum (wrong) AS wrong,
  sum (others) AS others, sum (probes) AS probes FROM "transposition/codes" WHERE code_bits + 0 <= 20;
CREATE TEMP VIEW o AS SELECT max (1.0 * others / probes) AS share FROM (SELECT sum (others) AS others, sum (probes) AS probes FROM "transposition/codes" GROUP BY code_bits);
CREATE TEMP VIEW p AS SELECT ending, log2_slots + 0 AS bits, max (iif (policy = 'always', nodes + 0, 0)) AS a, max (iif (policy = 'deeper', nodes + 0, 0)) AS d
FROM "transposition/policies" WHERE policy <> 'none' GROUP BY 1, 2;
CREATE TEMP VIEW q AS SELECT p.ending, p.bits, 1.0 * p.a / m.a AS times, 1.0 * p.d / p.a AS deeper FROM p JOIN p m ON m.ending = p.ending AND m.bits = 24;
SELECT '| statement of Nemec 2007 | measured |';
SELECT '|---|---|';
SELECT printf ('| 1. The same positions arise rarely in openings and very often in endings with few men, where the depth can double | holds: with 5 million nodes %d to %d plies more with 32 men, %d to %d more in endings with few men or blocked pawns, up to %.1f times the depth ("Depth") |',
  (SELECT min (with_ - without) FROM d WHERE men = 32), (SELECT max (with_ - without) FROM d WHERE men = 32), (SELECT min (with_ - without) FROM d WHERE men < 32),
  (SELECT max (with_ - without) FROM d WHERE men < 32), (SELECT max (1.0 * with_ / without) FROM d));
SELECT '| 2. A few bytes are enough for an entry: 8 | holds; the test asks the compiler |';
SELECT printf ('| 3. A million positions a second make about 8 MB of entries a second | %.1f to %.1f MB for each million positions with 32 men, %.1f to %.1f MB with few men: positions at the horizon are most of all, and are not stored |',
  (SELECT min (bytes) FROM s WHERE men = 32), (SELECT max (bytes) FROM s WHERE men = 32), (SELECT min (bytes) FROM s WHERE men < 32), (SELECT max (bytes) FROM s WHERE men < 32));
SELECT printf ('| 4. A position takes about 70 bytes, hence the code | %d bytes in this program (`sd_pos`), as much as %d entries |', position_bytes, position_bytes / entry_bytes) FROM "transposition/codes" LIMIT 1;
SELECT printf ('| 5. With independent hashes a probe that meets another position''s entry matches it falsely with probability 2^-bits | holds: %.2f times as often over codes of 8 to 20 bits ("False matches") |', found / expected) FROM f;
SELECT printf ('| 6. With 32 bits less than one false match an hour at a million probes a second | holds, just: one is expected in %,d s, since %.0f %% of the probes find another position''s entry in a table that is too small; with a full table of others in %,d s |',
  round (pow (2, 32) / 1e6 / share), 100 * share, round (pow (2, 32) / 1e6)) FROM o;
SELECT printf ('| 7. Most false matches have no effect | holds: %.0f %% end the search of a position, and %.2f %% of all make a result wrong |', 100.0 * uses / found, 100.0 * wrong / found) FROM f;
SELECT printf ('| 8. With 64 bits one in about 600,000 years | %,d years at the same share of probes, %,d at 100 %% |', round (pow (2, 64) / 1e6 / share / 31557600), round (pow (2, 64) / 1e6 / 31557600)) FROM o;
SELECT printf ('| 9. Collisions may be ignored: the new entry overwrites | holds: with 2^14 slots a search of the list under "Policies" visits %.2f to %.2f times the nodes of 2^24 slots, with 2^16 slots %.2f to %.2f times |',
  (SELECT min (times) FROM q WHERE bits = 14), (SELECT max (times) FROM q WHERE bits = 14), (SELECT min (times) FROM q WHERE bits = 16), (SELECT max (times) FROM q WHERE bits = 16));
SELECT printf ('| 10. Replace always if memory is plentiful, only by an entry that is at least as deep if it is critically short | holds at both ends only in part ("Policies"): deeper takes %.2f to %.2f times the nodes at 2^10 slots, %.2f to %.2f from 2^11 to 2^17, %.3f to %.3f above |',
  (SELECT min (deeper) FROM q WHERE bits = 10), (SELECT max (deeper) FROM q WHERE bits = 10), (SELECT min (deeper) FROM q WHERE bits BETWEEN 11 AND 17),
  (SELECT max (deeper) FROM q WHERE bits BETWEEN 11 AND 17), (SELECT min (deeper) FROM q WHERE bits > 17), (SELECT max (deeper) FROM q WHERE bits > 17));
