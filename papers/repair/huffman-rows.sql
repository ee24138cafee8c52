-- title: Bytes of both sides to move, of Huffman codes of symbols and of words beside RE-PAIR: the rows of huffman.conf as huffman.csv.

SELECT "table", metric, sum (slots) FILTER (WHERE codec = 'repair') AS slots,
  sum (bytes) FILTER (WHERE setting (settings, 'word') = '1') AS symbols_bytes,
  sum (bytes) FILTER (WHERE setting (settings, 'word') = '0') AS words_bytes,
  sum (bytes) FILTER (WHERE codec = 'repair') AS repair_bytes
FROM cell GROUP BY 1, 2 ORDER BY 2 DESC, 1
