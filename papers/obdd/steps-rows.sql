-- title: The rows of kristensen.conf as steps.csv.

SELECT substr ("group", 1, instr ("group", '-') - 1) AS step, "table", side, "order",
  printf ('merge=%s;match=%s;starts=%s;clusters=%s', setting (settings, 'merge'), setting (settings, 'match'),
    setting (settings, 'starts'), setting (settings, 'clusters')) AS settings, bytes
FROM cell ORDER BY 1, 2, 3, "order" || ',', 5
