-- title: Bytes by the settings of RE-PAIR, whose groups ask different questions: the rows of choices.conf as choices.csv.

SELECT "group", "table", metric, coding, side, freedom, "order", ifnull (nullif (numbering, ''), 'rows') AS numbering, codec, setting (settings, 'block') AS block,
  setting (settings, 'initial') AS initial, setting (settings, 'pair') AS pair, setting (settings, 'parse') AS parse,
  setting (settings, 'rounds') AS rounds, setting (settings, 'restarts') AS restarts, setting (settings, 'slack') AS slack,
  setting (settings, 'entropy') AS entropy, setting (settings, 'symbols') AS symbols, bytes, model_bytes
FROM cell ORDER BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18
