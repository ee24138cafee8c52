-- Nodes by the number of slots and what is replaced.
CREATE TEMP VIEW p AS SELECT ending, policy, log2_slots + 0 AS bits, printf ('%,d', nodes) AS nodes FROM "transposition/policies";
CREATE TEMP VIEW b AS SELECT bits, a.ending, a.nodes AS always, d.nodes AS deeper FROM p a JOIN p d USING (ending, bits) WHERE a.policy = 'always' AND d.policy = 'deeper';
SELECT '| slots | KQvKR, always | deeper | KRvKP, always | deeper |';
SELECT '|---:|---:|---:|---:|---:|';
SELECT printf ('| no table | %s | | %s | |', q.nodes, r.nodes) FROM p q, p r WHERE q.policy = 'none' AND r.policy = 'none' AND q.ending = 'KQvKR' AND r.ending = 'KRvKP';
SELECT printf ('| 2^%d | %s | %s | %s | %s |', bits, q.always, q.deeper, r.always, r.deeper) FROM b q JOIN b r USING (bits) WHERE q.ending = 'KQvKR' AND r.ending = 'KRvKP' ORDER BY bits;
