-- All DTM tables as small forests, beside diagrams.
SELECT printf ('The %d DTM files take %,d bytes, with a median of a probe of at most %.1f us (%s). Diagrams in `clusters=64` take %,d; of each ending the smaller of the two makes %,d bytes.',
  count (*), sum (f.bytes), max (1 * f.probe_ns) / 1000.0,
  (SELECT ending FROM "trees/small-sets" ORDER BY 1 * probe_ns DESC LIMIT 1), sum (d.bytes), sum (min (1 * f.bytes, 1 * d.bytes)))
FROM "trees/small-sets" f JOIN "obdd/dtm-checks" d USING (ending);
SELECT printf ('Diagrams stay smaller in %d of %d endings that take more than %d kB in either form: %s.', sum (1 * d.bytes < 1 * f.bytes), count (*), 1,
  group_concat (iif (1 * d.bytes < 1 * f.bytes, ending, NULL), ', '))
FROM (SELECT * FROM "trees/small-sets" ORDER BY rowid) f JOIN "obdd/dtm-checks" d USING (ending) WHERE 1 * f.bytes > 1000 AND 1 * d.bytes > 1000;
