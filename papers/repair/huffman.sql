-- Huffman codes without pairs, of symbols and of words, beside RE-PAIR.
CREATE TEMP VIEW h AS SELECT min (rowid) AS place, upper (metric) AS metric, length ("table") - 1 AS men, count (*) AS endings, sum (symbols_bytes) AS symbols, sum (words_bytes) AS words,
  sum (repair_bytes) AS repair, 8.0 / sum (slots) AS bits FROM "repair/huffman" GROUP BY 2, 3;
SELECT '| | endings | Huffman, symbols | bits a slot | Huffman, words | bits a slot | RE-PAIR and Huffman | bits a slot | pairs take off |';
SELECT '|---|---:|---:|---:|---:|---:|---:|---:|---:|';
SELECT printf ('| %s, %d men | %d | %,d | %.3f | %,d | %.3f | %,d | %.3f | %.1f %% |', metric, men, endings, symbols, bits * symbols, words, bits * words, repair, bits * repair, 100 - 100.0 * repair / symbols)
FROM h ORDER BY place;
