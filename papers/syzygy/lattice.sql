-- Parses along a lattice, and what they leave time for.
SELECT '| | KBBvK | CPU-s | KRvKB | CPU-s | KQvKR | CPU-s |';
SELECT '|---|---:|---:|---:|---:|---:|---:|';
SELECT printf ('| %s | %s | %s | %s | %s | %s | %s |', way, iif (kbbvk = '', '', printf ('%,d', kbbvk)), kbbvk_s, iif (krvkb = '', '', printf ('%,d', krvkb)), krvkb_s,
  iif (kqvkr = '', '', printf ('%,d', kqvkr)), kqvkr_s) FROM "syzygy/lattice";
