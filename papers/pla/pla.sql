-- Boolean functions: espresso's covers beside our tables. What was measured; sums by size of the truth table; single functions; what they say.
CREATE TEMP TABLE f AS SELECT name, inputs + 0 AS inputs, outputs + 0 AS outputs, free + 0 AS free, plain_bytes + 0 AS plain, pla_bytes + 0 AS pla, cover_bytes + 0 AS cover,
  packed_bytes + 0 AS packed, products + 0 AS products, espresso_s + 0 AS espresso_s, import_s + 0 AS import_s, obdd_s + 0 AS obdd_s, obdd + 0 AS obdd, obdd_nodes + 0 AS nodes,
  trees + 0 AS trees, repair + 0 AS repair, zstd + 0 AS zstd, cover_obdd + 0 AS cover_obdd FROM "pla/pla" WHERE left_out = '';
SELECT printf ('Of %d files %d are measured. Left out are %d with more slots than the importer takes (2^32; the least has %d inputs), %d with more than 2^28 (%d to %d inputs), which is the bound of `rows.sh`, and %d whose function another file has, too.',
  count (*), sum (left_out = ''), sum (left_out LIKE 'more%'), min (iif (left_out LIKE 'more%', inputs + 0, NULL)), sum (left_out = 'not measured'),
  min (iif (left_out = 'not measured', inputs + 0, NULL)), max (iif (left_out = 'not measured', inputs + 0, NULL)), sum (left_out LIKE 'the same%')) FROM "pla/pla";
SELECT '';
CREATE TEMP TABLE size (most, text);
INSERT INTO size VALUES (128, 'up to 128 bytes'), (1024, 'up to 1 KiB'), (8192, 'up to 8 KiB'), (65536, 'up to 64 KiB'), (1e18, 'more');
CREATE TEMP TABLE sums AS SELECT most, count (*) AS n, sum (plain) AS plain, sum (cover) AS cover, sum (packed) AS packed, sum (obdd) AS obdd, sum (obdd < packed) AS smaller, sum (nodes) AS nodes,
  sum (trees) AS trees, sum (repair) AS repair, sum (zstd) AS zstd, sum (cover_obdd) AS cover_obdd, sum (import_s) AS import_s, sum (obdd_s) AS obdd_s, sum (espresso_s) AS espresso_s
  FROM (SELECT (SELECT min (most) FROM size WHERE most >= plain) AS most, * FROM f) GROUP BY most;
SELECT '| truth table | functions | plain | cover, text | cover, packed | `obdd` | smaller than packed | nodes alone | `trees` | `repair` | `zstd` | CPU time of espresso | with import |';
SELECT '|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|';
SELECT printf ('| %s | %d | %,d | %,d | %,d | %,d | %d | %,d | %,d | %,d | %,d | %.1f | %.1f |', text, n, plain, cover, packed, obdd, smaller, nodes, trees, repair, zstd,
  obdd_s / espresso_s, (import_s + obdd_s) / espresso_s) FROM sums JOIN size USING (most) ORDER BY most;
SELECT printf ('| all | %d | %,d | %,d | %,d | %,d | %d | %,d | %,d | %,d | %,d | %.1f | %.1f |', sum (n), sum (plain), sum (cover), sum (packed), sum (obdd), sum (smaller), sum (nodes), sum (trees),
  sum (repair), sum (zstd), sum (obdd_s) / sum (espresso_s), (sum (import_s) + sum (obdd_s)) / sum (espresso_s)) FROM sums;
SELECT '';
SELECT '| function | inputs | outputs | free | plain | PLA | cover, text | packed | products | `obdd` | of the cover | `trees` | `repair` | `zstd` | CPU time of espresso | with import |';
SELECT '|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|';
SELECT printf ('| %s | %d | %d | %.2f | %,d | %,d | %,d | %,d | %,d | %,d | %,d | %,d | %,d | %,d | %s | %s |', name, inputs, outputs, free, plain, pla, cover, packed, products, obdd, cover_obdd,
  trees, repair, zstd, iif (coding < 100, printf (iif (coding < 1, '%.2f', '%.1f'), coding), printf ('%,d', round (coding))), iif (with_import < 100, printf (iif (with_import < 1, '%.2f', '%.1f'), with_import), printf ('%,d', round (with_import))))
  FROM (SELECT *, obdd_s / espresso_s AS coding, (import_s + obdd_s) / espresso_s AS with_import FROM f) WHERE plain > 131072 OR free > 0.01 AND plain > 512 ORDER BY plain, name;
SELECT '';
SELECT printf ('* **Where diagrams are smaller.** The files of diagrams are smaller than the packed cover for %d of %d functions: for %d of the %d whose cover has 50 products or more, and for %d of the other %d. A cover has two levels: each product names all its inputs, and what several products have in common is written for each of them. A diagram has a node once for all sub-functions that are alike, of all outputs. The least shares of the cover are those of %s.',
  sum (obdd < packed), count (*), sum (products >= 50 AND obdd < packed), sum (products >= 50), sum (products < 50 AND obdd < packed), sum (products < 50),
  (SELECT group_concat (printf ('`%s` (%.2f)', name, share), ', ') FROM (SELECT name, 1.0 * obdd / packed AS share FROM f ORDER BY share LIMIT 5))) FROM f;
SELECT printf ('* **Where they are not.** Control logic of few products is the cover''s case, and so is a table of which nearly all is free: with more than nine tenths free the packed covers of %d functions take %.2f of the diagrams'' bytes. The header of a file (shape, values, order of the variables, checksums) takes %d to %d bytes, which a packed cover does not have; roots and nodes alone are smaller than it for %d functions.',
  sum (free > 0.9), 1.0 * sum (iif (free > 0.9, packed, 0)) / sum (iif (free > 0.9, obdd, 0)), min (obdd - nodes), max (obdd - nodes), sum (nodes < packed)) FROM f;
SELECT printf ('* **What is free.** espresso chooses the values that save products, `obdd` those that make sub-tables alike. Of the %d functions with a hundredth to nine tenths free and more than 512 bytes of plain bits, a diagram of the values that the cover has takes %.2f times the bytes (of the cover, in the table; up to %.2f times).',
  count (*), 1.0 * sum (cover_obdd) / sum (obdd), max (1.0 * cover_obdd / obdd)) FROM f WHERE free BETWEEN 0.01 AND 0.9 AND plain > 512;
SELECT printf ('* **Other codecs.** `repair` is smaller than the diagram for %d functions, %d of them of at most 1 KiB, where it has the shorter header; with more than 64 KiB it takes %.1f times the bytes in sum, `zstd` %.0f and `trees` %.0f times.',
  sum (repair < obdd), sum (repair < obdd AND plain <= 1024), 1.0 * sum (iif (plain > 65536, repair, 0)) / sum (iif (plain > 65536, obdd, 0)),
  1.0 * sum (iif (plain > 65536, zstd, 0)) / sum (iif (plain > 65536, obdd, 0)), 1.0 * sum (iif (plain > 65536, trees, 0)) / sum (iif (plain > 65536, obdd, 0))) FROM f;
SELECT printf ('* **Time.** The importer makes the truth table, which doubles with each input; espresso never sees it. So subdef takes %.0f times espresso''s CPU time for the functions of 15 inputs and more, most of it (%.2f) to import, and %.1f times for those of 8 to 14 inputs. Where nothing takes long, the start of the programs is what is measured.',
  sum (iif (inputs >= 15, import_s + obdd_s, 0)) / sum (iif (inputs >= 15, espresso_s, 0)), sum (iif (inputs >= 15, import_s, 0)) / sum (iif (inputs >= 15, import_s + obdd_s, 0)),
  sum (iif (inputs BETWEEN 8 AND 14, import_s + obdd_s, 0)) / sum (iif (inputs BETWEEN 8 AND 14, espresso_s, 0))) FROM f;
