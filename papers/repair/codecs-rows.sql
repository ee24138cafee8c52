-- title: Bytes of the streams of both sides to move: the rows of codecs.conf as codecs.csv.

SELECT "table", metric, codec, ifnull (setting (settings, 'dict'), 0) AS dict, setting (settings, 'block') AS block,
  ifnull (setting (settings, 'initial'), 'frequent') AS initial, sum (bytes) AS bytes
FROM cell GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6
