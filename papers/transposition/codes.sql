-- False matches by the bits of the code.
CREATE TEMP VIEW c AS SELECT code_bits + 0 AS bits, sum (others) AS others, sum (false_matches) AS found, sum (others) / pow (2, code_bits) AS expected,
  sum (false_uses) AS uses, sum (wrong) AS wrong, sum (positions) AS positions FROM "transposition/codes" GROUP BY 1;
SELECT '| bits of code | probes that found another position | false matches | expected | ratio | used | wrong results | searched |';
SELECT '|---:|---:|---:|---:|---:|---:|---:|---:|';
SELECT printf ('| %d | %,d | %,d | %s | %s | %,d | %,d | %,d |', bits, others, found, iif (expected >= 0.1, printf ('%.1f', expected), printf ('%.1g', expected)),
  iif (expected >= 1, printf ('%.2f', found / expected), ''), uses, wrong, positions)
FROM c ORDER BY bits;
