-- rANS instead of Huffman's code.
SELECT '| | block | Huffman, bytes | rANS, bytes | |';
SELECT '|---|---:|---:|---:|---:|';
SELECT printf ('| %s %s | %d | %,d | %,d | %+.1f %% |', "table", upper (metric), block, h, r, 100.0 * r / h - 100)
FROM (SELECT "table", metric, block + 0 AS block, sum (iif (entropy = 'huffman', bytes, 0)) h, sum (iif (entropy = 'rans', bytes, 0)) r
      FROM "repair/choices" WHERE "group" LIKE 'entropy%' GROUP BY 1, 2, 3) ORDER BY metric DESC, 1, block;
