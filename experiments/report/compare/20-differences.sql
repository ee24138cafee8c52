-- title: Cells that differ in bytes
-- when: 1
-- text: {(SELECT iif (differ, differ || ' of ' || cells || ' cells:', 'None: all ' || cells || ' cells of both take the same number of bytes.') FROM fact)}
-- column: cell | {(SELECT iif (by = ',,', 'cell', 'cell of A') FROM fact)}
-- column: other | of B
-- column: a_bytes | A, bytes | count
-- column: b_bytes | B, bytes | count
-- column: ratio | B / A | ratio

SELECT a_name AS cell, iif (by = ',,', NULL, b_name) AS other, a_bytes, b_bytes, 1.0 * b_bytes / a_bytes AS ratio
FROM pair, fact WHERE a_bytes <> b_bytes ORDER BY pair
