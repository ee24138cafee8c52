-- DTM files of both sides to move, by men; with the WDL files that say who wins.
CREATE TEMP TABLE d AS SELECT d.material AS m, length (d.material) - 1 AS men, d.bytes + 0 AS bytes, w.bytes + 0 AS wdl, d.cpu_s + 0 AS cpu, d.memory + 0 AS memory,
  CASE length (d.material) - 1 WHEN 3 THEN 5 WHEN 4 THEN 30 ELSE 110 END AS of
  FROM "sets/dtm-3-5" d JOIN "sets/wdl-3-5" w USING (material);
SELECT '| men | endings made | of | bytes of DTM | with those of WDL | CPU-h | most memory, MB |';
SELECT '|---|---:|---:|---:|---:|---:|---:|';
SELECT printf ('| %d | %d | %d | %,d | %,d | %.2f | %,d |', men, count (*), of, sum (bytes), sum (bytes + wdl), sum (cpu) / 3600, max (memory) / 1e6)
  FROM d GROUP BY men ORDER BY men;
SELECT printf ('| all | %d | 145 | **%,d** | %,d | %.2f | %,d |', count (*), sum (bytes), sum (bytes + wdl), sum (cpu) / 3600, max (memory) / 1e6) FROM d;
SELECT '';
SELECT printf ('The %d endings of `table1.csv` with pawns, estimated from parts by RE-PAIR in the order of the name, take about %,d million bytes (%,d to %,d).',
  count (*), round (sum (edges) / 1e6), round (sum (edges_low) / 1e6), round (sum (edges_high) / 1e6))
  FROM "sampled/table1" WHERE "table" LIKE '%P%' AND "table" NOT IN (SELECT m FROM d);
SELECT printf ('* Estimated in the same way, the %d endings with 5 men of the table above would take %,d million; the files, in the order that samples choose, take %.3f of that.',
  count (*), round (sum (edges) / 1e6), 1.0 * sum (d.bytes) / sum (edges))
  FROM d JOIN "sampled/table1" ON m = "table";
SELECT printf ('* These files and the estimates of the others together: about %,d million for the %d endings with 5 men (%,d to %,d).',
  round ((made + edges) / 1e6), endings, round ((made + low) / 1e6), round ((made + high) / 1e6))
  FROM (SELECT sum (bytes) AS made, count (*) AS files FROM d WHERE men = 5),
    (SELECT sum (edges) AS edges, sum (edges_low) AS low, sum (edges_high) AS high, count (*) + (SELECT count (*) FROM d WHERE men = 5) AS endings
     FROM "sampled/table1" WHERE "table" NOT IN (SELECT m FROM d));
SELECT '';
SELECT '| ending | DTM and WDL | Kristensen 2005, diagrams | of these | Nalimov | of these |';
SELECT '|---|---:|---:|---:|---:|---:|';
SELECT printf ('| %s | %,d | %,d | %.2f | %,d | %.2f |', m, bytes + wdl, max (iif (system LIKE 'K%', p.b, 0)), 1.0 * (bytes + wdl) / max (iif (system LIKE 'K%', p.b, 0)),
  max (iif (system = 'Nalimov', p.b, 0)), 1.0 * (bytes + wdl) / max (iif (system = 'Nalimov', p.b, 0)))
  FROM d JOIN (SELECT material, system, bytes + 0 AS b FROM "sets/dtm-published") p ON p.material = m GROUP BY m ORDER BY m;
