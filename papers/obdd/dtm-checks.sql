-- DTM diagrams with positions in check free, beside those of the kept layouts without.
SELECT printf ('The DTM files of all %d endings with 3 and 4 men take %,d bytes so, and %,d without (`dtm-3-4.csv`, `clusters=16`); %d are smaller.',
  count (*), sum (c.bytes), sum (d.bytes), sum (c.bytes + 0 < d.bytes + 0))
FROM "obdd/dtm-checks" c JOIN "obdd/dtm-3-4" d ON d.material = c.ending;
