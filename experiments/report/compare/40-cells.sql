-- name: compare
-- column: group | | file
-- column: sides | | file
-- column: table | | file
-- column: metric | | file
-- column: coding | | file
-- column: freedom | | file
-- column: codec | | file
-- column: settings | | file
-- column: side | | file
-- column: order | | file
-- column: numbering | | file
-- column: b_group | | file known
-- column: b_sides | | file known
-- column: b_table | | file known
-- column: b_metric | | file known
-- column: b_coding | | file known
-- column: b_freedom | | file known
-- column: b_codec | | file known
-- column: b_settings | | file known
-- column: b_side | | file known
-- column: b_order | | file known
-- column: b_numbering | | file known
-- column: bytes_a | | file
-- column: bytes_b | | file
-- column: bytes_ratio | | file
-- column: bytes_low | | file
-- column: bytes_high | | file
-- column: encode_s_a | | file
-- column: encode_s_b | | file
-- column: encode_s_ratio | | file
-- column: encode_s_low | | file
-- column: encode_s_high | | file
-- column: decode_s_a | | file
-- column: decode_s_b | | file
-- column: decode_s_ratio | | file
-- column: decode_s_low | | file
-- column: decode_s_high | | file
-- column: get_ns_a | | file
-- column: get_ns_b | | file
-- column: get_ns_ratio | | file
-- column: get_ns_low | | file
-- column: get_ns_high | | file
-- column: probe_ns_a | | file
-- column: probe_ns_b | | file
-- column: probe_ns_ratio | | file
-- column: probe_ns_low | | file
-- column: probe_ns_high | | file

-- Names of A's cell, and of B's where they may differ; of each measure both values, their ratio and its interval.
SELECT x.*, iif (by = ',,', NULL, y."group") AS b_group, iif (by = ',,', NULL, y."sides") AS b_sides, iif (by = ',,', NULL, y."table") AS b_table, iif (by = ',,', NULL, y."metric") AS b_metric, iif (by = ',,', NULL, y."coding") AS b_coding, iif (by = ',,', NULL, y."freedom") AS b_freedom, iif (by = ',,', NULL, y."codec") AS b_codec, iif (by = ',,', NULL, y."settings") AS b_settings, iif (by = ',,', NULL, y."side") AS b_side, iif (by = ',,', NULL, y."order") AS b_order, iif (by = ',,', NULL, y."numbering") AS b_numbering,
  iif (q0.a > 0, printf ('%.10g', q0.a), NULL) AS bytes_a, iif (q0.b > 0, printf ('%.10g', q0.b), NULL) AS bytes_b, iif (q0.ratio > 0, printf ('%.10g', q0.ratio), NULL) AS bytes_ratio, iif (q0.low > 0, printf ('%.10g', q0.low), NULL) AS bytes_low, iif (q0.high > 0, printf ('%.10g', q0.high), NULL) AS bytes_high,
  iif (q1.a > 0, printf ('%.10g', q1.a), NULL) AS encode_s_a, iif (q1.b > 0, printf ('%.10g', q1.b), NULL) AS encode_s_b, iif (q1.ratio > 0, printf ('%.10g', q1.ratio), NULL) AS encode_s_ratio, iif (q1.low > 0, printf ('%.10g', q1.low), NULL) AS encode_s_low, iif (q1.high > 0, printf ('%.10g', q1.high), NULL) AS encode_s_high,
  iif (q2.a > 0, printf ('%.10g', q2.a), NULL) AS decode_s_a, iif (q2.b > 0, printf ('%.10g', q2.b), NULL) AS decode_s_b, iif (q2.ratio > 0, printf ('%.10g', q2.ratio), NULL) AS decode_s_ratio, iif (q2.low > 0, printf ('%.10g', q2.low), NULL) AS decode_s_low, iif (q2.high > 0, printf ('%.10g', q2.high), NULL) AS decode_s_high,
  iif (q3.a > 0, printf ('%.10g', q3.a), NULL) AS get_ns_a, iif (q3.b > 0, printf ('%.10g', q3.b), NULL) AS get_ns_b, iif (q3.ratio > 0, printf ('%.10g', q3.ratio), NULL) AS get_ns_ratio, iif (q3.low > 0, printf ('%.10g', q3.low), NULL) AS get_ns_low, iif (q3.high > 0, printf ('%.10g', q3.high), NULL) AS get_ns_high,
  iif (q4.a > 0, printf ('%.10g', q4.a), NULL) AS probe_ns_a, iif (q4.b > 0, printf ('%.10g', q4.b), NULL) AS probe_ns_b, iif (q4.ratio > 0, printf ('%.10g', q4.ratio), NULL) AS probe_ns_ratio, iif (q4.low > 0, printf ('%.10g', q4.low), NULL) AS probe_ns_low, iif (q4.high > 0, printf ('%.10g', q4.high), NULL) AS probe_ns_high
FROM pair p JOIN all_cell x ON x.store = 'A' AND x.id = p.a JOIN all_cell y ON y.store = 'B' AND y.id = p.b
  JOIN quotient q0 ON q0.pair = p.pair AND q0.measure = 0 JOIN quotient q1 ON q1.pair = p.pair AND q1.measure = 1
  JOIN quotient q2 ON q2.pair = p.pair AND q2.measure = 2 JOIN quotient q3 ON q3.pair = p.pair AND q3.measure = 3
  JOIN quotient q4 ON q4.pair = p.pair AND q4.measure = 4, fact f ORDER BY p.pair
