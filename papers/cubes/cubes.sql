-- Bytes of test cubes by codes of run lengths and by our codecs, as shares of FDR's.
CREATE TEMP TABLE share AS SELECT c.cubes, c.codec, c.bits + 0 AS bits, c.free + 0 AS free, c.bytes + 0 AS bytes, 1.0 * c.bytes / f.bytes AS of_fdr
  FROM "cubes/cubes" c JOIN "cubes/cubes" f ON f.cubes = c.cubes AND f.codec = 'fdr bits';
SELECT '| set | bits | X | plain bits | Golomb | FDR | `golomb` | `fdr` | `rle` | `repair` | `obdd` | `trees` | `zstd` |';
SELECT '|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|';
SELECT printf ('| %s | %,d | %.2f | %,d | %,d | %,d | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f |', cubes, bits, free, max (iif (codec = 'bits', bytes, 0)), max (iif (codec = 'golomb bits', bytes, 0)),
  max (iif (codec = 'fdr bits', bytes, 0)), max (iif (codec = 'golomb', of_fdr, 0)), max (iif (codec = 'fdr', of_fdr, 0)), max (iif (codec = 'rle', of_fdr, 0)), max (iif (codec = 'repair', of_fdr, 0)), max (iif (codec = 'obdd', of_fdr, 0)),
  max (iif (codec = 'trees', of_fdr, 0)), max (iif (codec = 'zstd', of_fdr, 0))) FROM share GROUP BY cubes ORDER BY bits;
