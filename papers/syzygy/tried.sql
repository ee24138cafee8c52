-- What was tried on three streams.
SELECT '| | KRvKP b | KBBvK | KNvKP c |';
SELECT '|---|---:|---:|---:|';
SELECT printf ('| %s | %,d | %,d | %s |', way, krvkp_b, kbbvk, iif (knvkp_c = '', '-', printf ('%,d', knvkp_c))) FROM "syzygy/tried";
