-- Blocks and nanoseconds of a probe: of an ending by LZMA, or of KRvKP while no page of the file is in memory (:of: an ending, or cold).
SELECT block, probe_ns FROM "repair/access" WHERE "table" = :of AND codec = 'lzma';
SELECT block, 1000 * cold_us FROM "repair/cold" WHERE :of = 'cold' AND codec = 'lzma' AND reading = 'page';
