-- What the rows beside Fathom say.
CREATE TEMP VIEW f AS SELECT ending, tables, 1.0 * median_ns / fathom_median_ns AS m, 1.0 * p99_ns / fathom_p99_ns AS p FROM "probes/fathom";
CREATE TEMP VIEW d AS SELECT ending, 1.0 * median_ns / fathom_median_ns AS m, 1.0 * p99_ns / fathom_p99_ns AS p FROM "probes/fathom-default" WHERE tables = 'default';
CREATE TEMP VIEW e AS SELECT a.ending, 1.0 * a.p99_ns / b.p99_ns AS p FROM "probes/fathom-default" a JOIN "probes/fathom-default" b USING (ending)
  WHERE a.tables = 'all+evident' AND b.tables = 'default' AND a.ending LIKE '%P%';
CREATE TEMP VIEW q AS SELECT ending, evident_bytes + 0 AS e, queen_bytes + 0 AS q FROM "probes/queens";
SELECT printf ('* **The values** are the same: %,d probes of %d endings, %,d of them with an en-passant square, %d differ.',
  sum (positions), count (DISTINCT ending), sum (en_passant), sum (differ)) FROM "probes/fathom";
SELECT printf ('* **The medians** are %.2f (RE-PAIR) and %.2f (diagrams) of Fathom''s, as geometric means over the endings; at most %.2f and %.2f.',
  (SELECT exp (avg (ln (m))) FROM f WHERE tables = 'repair'), (SELECT exp (avg (ln (m))) FROM f WHERE tables = 'obdd'),
  (SELECT max (m) FROM f WHERE tables = 'repair'), (SELECT max (m) FROM f WHERE tables = 'obdd'));
SELECT printf ('* **99 %%** of the probes are answered within %.2f (RE-PAIR) and %.2f (diagrams) of Fathom''s time at most.',
  (SELECT max (p) FROM f WHERE tables = 'repair'), (SELECT max (p) FROM f WHERE tables = 'obdd'));
SELECT printf ('* **As `subdef reformat` makes diagrams by default**, with the freedom `all+queen+evident`, the median is %.2f of Fathom''s, at most %.2f, and 99 %% of the probes are answered within %.2f of Fathom''s time (geometric means), at most %.2f (%s): a position in check is answered by its moves where they tell its value, and else by its slot. Of these probes %d of %,d differ.',
  exp (avg (ln (m))), max (m), exp (avg (ln (p))), max (p), (SELECT ending FROM d ORDER BY p DESC LIMIT 1), (SELECT sum (differ) FROM "probes/fathom-default" WHERE tables = 'default'), (SELECT sum (positions) FROM "probes/fathom-default" WHERE tables = 'default')) FROM d;
SELECT printf ('* **Lesser promotions** free no slot by default. Where they do (`all+evident`), 99 %% of the probes of endings with pawns take %.2f to %.2f times as long (%s). The default costs %.4f of the bytes of these diagrams (%,d and %,d), at most %.3f (%s).',
  min (p), max (p), (SELECT ending FROM e ORDER BY p DESC LIMIT 1), (SELECT 1.0 * sum (q) / sum (e) FROM q), (SELECT sum (q) FROM q), (SELECT sum (e) FROM q),
  (SELECT max (1.0 * q / e) FROM q), (SELECT ending FROM q ORDER BY 1.0 * q / e DESC LIMIT 1)) FROM e;
