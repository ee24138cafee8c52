-- What the sums say, beside the smallest tables that are known.
CREATE TEMP VIEW l AS SELECT metric, "of" AS what, sum (bytes) AS b FROM "limits/limits" GROUP BY 1, 2;
CREATE TEMP VIEW k AS SELECT 'wdl' AS metric, sum (bytes) AS b FROM "best-wdl-3-4" UNION ALL SELECT 'dtm', sum (bytes) FROM "best-dtm-3-4";
SELECT printf ('The smallest tables that are known of these endings (whole files, `papers/best-wdl-3-4.csv` and `papers/best-dtm-3-4.csv`) take %,d bytes of WDL and %,d of DTM.',
  (SELECT b FROM k WHERE metric = 'wdl'), (SELECT b FROM k WHERE metric = 'dtm'));
SELECT '';
SELECT printf ('* **WDL.** The smallest files, diagrams most of them, lie below context mixing: %,d bytes against %,d, even though a reader of the mixed code is told which slots are free. They have a layout of their own, which the mixed code has not, and in %d of them positions in check are free, too. What is left for WDL is therefore not to be seen in these figures. Diagrams in plain layouts, %,d bytes, lie above.',
  (SELECT b FROM k WHERE metric = 'wdl'), (SELECT b FROM l WHERE metric = 'wdl' AND what LIKE 'context mixing with%'), (SELECT sum (freedom LIKE '%check%' OR freedom LIKE '%evident%') FROM "best-wdl-3-4"), (SELECT b FROM l WHERE metric = 'wdl' AND what = 'obdd'));
SELECT printf ('* **DTM.** The smallest files take %.1f %% %s than the mixed code with known free slots (%,d), and %.0f %% less than the one that codes all slots (%,d). Which slots are free is worth %.0f %% of the bytes there. In %d of these files positions in check are free, too, and in the mixed code they are not.',
  abs (100.0 * k.b / f.b - 100), iif (k.b > f.b, 'more', 'less'), f.b, 100 - 100.0 * k.b / a.b, a.b, 100 - 100.0 * f.b / a.b, (SELECT sum (freedom LIKE '%check%') FROM "best-dtm-3-4"))
FROM k, l f, l a WHERE k.metric = 'dtm' AND f.metric = 'dtm' AND a.metric = 'dtm' AND f.what LIKE 'context mixing with%' AND a.what = 'context mixing of all slots';
SELECT printf ('* **Single slots.** A Huffman code takes %.1f times the entropy of single slots in WDL, because it spends a bit at least on each slot, free ones as well.',
  1.0 * h.b / s.b) FROM l h, l s WHERE h.metric = 'wdl' AND s.metric = 'wdl' AND h.what = 'huffman' AND s.what = 'single slots';
SELECT printf ('* **Neighbours.** Six neighbours, two along each of the last three men, bring WDL to %.2f of the entropy of single slots. The mixed code also knows the places of the men, and takes %.2f of what is left.',
  1.0 * n.b / s.b, 1.0 * m.b / n.b) FROM l n, l s, l m WHERE n.metric = 'wdl' AND s.metric = 'wdl' AND m.metric = 'wdl' AND n.what LIKE '%6 neighbours' AND s.what = 'single slots' AND m.what = 'context mixing of all slots';
