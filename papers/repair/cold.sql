-- Cold probes, the pages alone.
CREATE TEMP VIEW c AS SELECT codec, block + 0 AS block, cold_us + 0.0 AS us FROM "repair/cold" WHERE reading = 'page';
SELECT printf ('* **Cold**, halving stops paying at some 4 kB: a probe takes %.0f us in blocks of 64 kB, %.0f in 16 kB, %.0f in 4 kB and %.0f in 1 kB, where two pages must be waited for. Zakharov et al. still see a small gain at 1 kB. RE-PAIR waits for one page and takes %.0f us: its index is in memory since the table was opened.',
  (SELECT us FROM c WHERE codec = 'lzma' AND block = 65536), (SELECT us FROM c WHERE codec = 'lzma' AND block = 16384),
  (SELECT us FROM c WHERE codec = 'lzma' AND block = 4096), (SELECT us FROM c WHERE codec = 'lzma' AND block = 1024),
  (SELECT us FROM c WHERE codec = 'repair'));
