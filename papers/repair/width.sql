-- LZMA of values of 1 byte, of 12 bits and of 2 bytes.
CREATE TEMP VIEW w AS SELECT rowid AS place, ending, positions, replace (block, '16384', '16,384') AS block, bits8, bits12, bits16,
  1.0 * bits12 / bits8 AS share12, 1.0 * bits16 / bits8 AS share16, 1.0 * bits12 / bits16 AS share FROM "repair/width";
SELECT '| ending | values | blocks of | 1 byte | 12 bits | | 2 bytes | | 12 bits / 2 bytes |';
SELECT '|---|---:|---|---:|---:|---:|---:|---:|---:|';
SELECT printf ('| %s | %,d | %s | %,d | %,d | %.3f | %,d | %.3f | %.3f |', ending, positions, block, bits8, bits12, share12, bits16, share16, share) FROM w ORDER BY place;
SELECT printf ('| **geometric mean** | | %s | 1 | | %.3f | | %.3f | %.3f |', block, exp (avg (ln (share12))), exp (avg (ln (share16))), exp (avg (ln (share)))) FROM w
GROUP BY block ORDER BY min (place);
