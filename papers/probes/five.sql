-- What the rows with 5 men say, and those of batches with 4.
CREATE TEMP VIEW m AS SELECT ending, tables, 1.0 * median_ns / fathom_median_ns AS m FROM "probes/five";
SELECT printf ('* **The values** are the same: %,d probes, %d differ.', sum (positions), sum (differ)) FROM "probes/five";
SELECT printf ('* **The medians** of KRPvKR are %.2f of Fathom''s with 65,531 phrases, %.2f with 8,192 and %.2f with 4,096; of KQRvKQ %.2f.',
  (SELECT m FROM m WHERE ending = 'KRPvKR' AND tables = 'all'), (SELECT m FROM m WHERE ending = 'KRPvKR' AND tables = 'few'),
  (SELECT m FROM m WHERE ending = 'KRPvKR' AND tables = 'fewest'), (SELECT m FROM m WHERE ending = 'KQRvKQ'));
SELECT printf ('* **Batches** take %.2f to %.2f of single calls with 5 men, and %.2f to %.2f with 4 and less (%s), whose tables caches hold.',
  (SELECT min (batch_of_single + 0.0) FROM "probes/together" WHERE length (ending) = 6), (SELECT max (batch_of_single + 0.0) FROM "probes/together" WHERE length (ending) = 6),
  (SELECT min (batch_of_single + 0.0) FROM "probes/together" WHERE length (ending) < 6), (SELECT max (batch_of_single + 0.0) FROM "probes/together" WHERE length (ending) < 6),
  (SELECT group_concat (ending, ', ') FROM "probes/together" WHERE length (ending) < 6));
