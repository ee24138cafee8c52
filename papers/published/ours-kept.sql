-- Figures of ours that published ones are put beside, as far as rows that are kept say them, or the sources: lines of ours.csv.
CREATE TEMP TABLE ours ("key", value, unit, "from");

-- Kristensen 2005: diagrams
INSERT INTO ours SELECT 'dtm.' || ending || '.w', white_bytes, 'bytes', 'papers/obdd/five.csv, stream of White to move' FROM "obdd/five" WHERE metric = 'dtm';
INSERT INTO ours SELECT 'dtm.' || ending || '.b', black_bytes, 'bytes', 'papers/obdd/five.csv, stream of Black to move' FROM "obdd/five" WHERE metric = 'dtm';
INSERT INTO ours SELECT 'dtm.' || ending || '.file', bytes, 'bytes', 'papers/obdd/five.csv, whole file' FROM "obdd/five" WHERE metric = 'dtm';
INSERT INTO ours SELECT 'unreachable.' || men, printf ('%.3f', 100.0 * sum (unreachable) / sum (positions)), '%', 'papers/obdd/unreachable.csv, positions that no move leads to'
  FROM "obdd/unreachable" GROUP BY men;
INSERT INTO ours SELECT 'unreachable.' || men, printf ('%.3f', 100.0 * sum (unreachable) / sum (positions)), '%', 'papers/obdd/unreachable-variants.csv, a sample of each ending'
  FROM "obdd/unreachable-variants" WHERE men + 0 >= 5 GROUP BY men;
INSERT INTO ours SELECT 'lzma_blocks.KRvKP.' || block, bytes, 'bytes', 'papers/repair/history.csv, both sides to move' FROM "repair/history"
  WHERE "table" = 'KRvKP' AND block + 0 <= 65536;
CREATE TEMP VIEW gain AS SELECT sum (bytes) FILTER (WHERE changed = 'default') AS usual, sum (bytes) FILTER (WHERE changed = 'merge=none') AS unmerged,
  sum (bytes) FILTER (WHERE changed = 'order=pieces') AS unsifted, sum (bytes) FILTER (WHERE changed = 'clusters=16') AS clusters,
  sum (bytes) FILTER (WHERE changed = 'nodes=ideal') AS ideal, sum (bytes) FILTER (WHERE changed = 'nodes=edges') AS edges,
  sum (bytes) FILTER (WHERE changed = 'numbering rows') AS "rows" FROM "obdd/gains" WHERE metric = 'wdl';
INSERT INTO ours SELECT 'merge.saved', printf ('%.1f', 100 - 100.0 * usual / unmerged), '%', 'papers/obdd/gains.csv, against merge=none' FROM gain;
INSERT INTO ours SELECT 'sifting.saved', printf ('%.1f', 100 - 100.0 * usual / unsifted), '%', 'papers/obdd/gains.csv, against order=pieces' FROM gain;
INSERT INTO ours SELECT 'clusters.saved', printf ('%.1f', 100 - 100.0 * clusters / usual), '%', 'papers/obdd/gains.csv, clusters=16' FROM gain;
INSERT INTO ours SELECT 'nodes.ideal_saved', printf ('%.1f', 100 - 100.0 * ideal / edges), '%', 'papers/obdd/gains.csv, nodes=ideal against edges' FROM gain;
INSERT INTO ours SELECT 'numbering.saved', printf ('%.1f', 100 - 100.0 * usual / "rows"), '%', 'papers/obdd/gains.csv, folded against rows' FROM gain;

-- Kristensen 2005: generation, by its rows
CREATE TEMP VIEW cpu AS SELECT ending, solver, states + 0 AS states, cpu_seconds + 0.0 AS s FROM "retrograde/measured";
CREATE TEMP VIEW generation AS SELECT 'generate.' || CASE WHEN "row" LIKE '%3-man%' THEN '3-man' WHEN "row" LIKE '%+2%' THEN 'K+2' WHEN "row" LIKE '%+1%' THEN 'K+1'
    ELSE substr (endings, 1, instr (endings || ' ', ' ') - 1) END AS name, sum (b.states) AS states, sum (b.s) AS backward,
  iif (count (f.s) = count (*), sum (f.s), NULL) AS forward
FROM "retrograde/kristensen" JOIN json_each ('["' || replace (endings, ' ', '","') || '"]') JOIN cpu b ON b.ending = value AND b.solver = 'parallel'
  LEFT JOIN cpu f ON f.ending = value AND f.solver = 'forward' GROUP BY "row";
INSERT INTO ours SELECT name || '.positions', states, 'positions', 'papers/retrograde/measured.csv' FROM generation;
INSERT INTO ours SELECT name || '.forward_s', printf ('%.3f', forward), 's', 'papers/retrograde/measured.csv, forward' FROM generation WHERE forward;
INSERT INTO ours SELECT name || '.forward_us', printf ('%.3g', 1e6 * forward / states), 'us', 'papers/retrograde/measured.csv, forward' FROM generation WHERE forward;
INSERT INTO ours SELECT name || '.backward_s', printf ('%.3f', backward), 's', 'papers/retrograde/measured.csv, parallel' FROM generation;
INSERT INTO ours SELECT name || '.backward_us', printf ('%.3g', 1e6 * backward / states), 'us', 'papers/retrograde/measured.csv, parallel' FROM generation;

-- Makhnychev 2012
INSERT INTO ours SELECT 'balance.efficiency_4096', efficiency, 'of the ideal', 'papers/retrograde/balance.csv, KQRvKQ scaled by 2640, 4096 ranks'
  FROM "retrograde/balance" WHERE ranks = '4096' AND variant = 'mixed+balanced' LIMIT 1;
INSERT INTO ours SELECT 'operations.7', printf ('%.1e', 2.5e9 * cpu_s), 'operations', 'papers/retrograde/operations.csv, all endings with 7 men, estimated: seconds at 2.5e9 ticks'
  FROM "retrograde/operations" WHERE men = '7' AND ranks = '1';

-- Zakharov et al. 2015
CREATE TEMP VIEW table1 AS SELECT sum (without) AS without, sum (alg1) AS alg1, sum (alg2) AS alg2 FROM "repair/table1-5";
INSERT INTO ours SELECT 'table1.without.bytes', without, 'bytes', 'papers/repair/table1-5.csv, 15 endings' FROM table1;
INSERT INTO ours SELECT 'table1.alg1.bytes', alg1, 'bytes', 'papers/repair/table1-5.csv, 15 endings' FROM table1;
INSERT INTO ours SELECT 'table1.alg1.share', printf ('%.1f', 100.0 * alg1 / without), '%', 'papers/repair/table1-5.csv' FROM table1;
INSERT INTO ours SELECT 'table1.alg2.bytes', alg2, 'bytes', 'papers/repair/table1-5.csv, 15 endings' FROM table1;
INSERT INTO ours SELECT 'table1.alg2.share', printf ('%.1f', 100.0 * alg2 / without), '%', 'papers/repair/table1-5.csv' FROM table1;
INSERT INTO ours SELECT 'capture_probe.faster', printf ('%.1f-%.1f', min (own / other), max (own / other)), 'times',
    'papers/repair/captures.csv, LZMA, warm lookups; the gap of disk and memory is not in them'
  FROM (SELECT 1.0 * o.lookup_ns AS own, c.lookup_ns AS other FROM "repair/captures" c JOIN "repair/captures" o ON o.ending = c.ending AND o.codec = c.codec
    AND o."table" = o.ending WHERE c.codec = 'lzma' AND c."table" NOT IN (c.ending, 'KBvK')); -- KBvK is drawn throughout
INSERT INTO ours SELECT 'orders.worst_by_best', printf ('%.1f', 1.0 * sum (worst_bytes) / sum (best_bytes)), 'times', 'papers/repair/orders-wdl.csv, all sides together'
  FROM "repair/orders-wdl";
INSERT INTO ours SELECT 'orders.saved', printf ('%.1f', 100 - 100.0 * sum (best_bytes) / sum (mean_bytes)), '%', 'papers/repair/orders-wdl.csv, the best order against the mean'
  FROM "repair/orders-wdl";
INSERT INTO ours SELECT 'one_side.saved', printf ('%.2f', 1.0 * sum (b.optimal_bytes) / sum (o.optimal_bytes)), 'times',
    'papers/repair, one side against both, endings with two different sides'
  FROM "repair/wdl-3-4" b JOIN "repair/wdl-one-sided-3-4" o USING (material) WHERE b.order_b <> '';
INSERT INTO ours SELECT 'dtm_repair_by_plain_lzma.saved', printf ('%.1f', 100 - 100.0 * sum (bytes) FILTER (WHERE "group" = '10-initial')
    / sum (bytes) FILTER (WHERE "group" = '1-lzma')), '%', 'papers/staircase/staircase.csv, DTM, RE-PAIR with all freedom by plain LZMA'
  FROM "staircase/staircase" WHERE metric = 'dtm';
CREATE TEMP TABLE history AS SELECT block + 0 AS block, 1.0 * sum (bytes) / lag (sum (bytes)) OVER (ORDER BY block + 0 DESC) AS growth FROM "repair/history"
GROUP BY block HAVING count (*) >= 30; -- beside that of the next larger block, over all endings with 4 men
INSERT INTO ours SELECT 'lzma_2M_1M.growth', printf ('%.1f', 100 * growth - 100), '%', 'papers/repair/history.csv' FROM history WHERE block = 1048576;
INSERT INTO ours SELECT 'lzma_halving.loss', group_concat (printf ('%.1f', 100 * growth - 100), ' '), '% per halving', 'papers/repair/history.csv'
  FROM (SELECT * FROM history WHERE block BETWEEN 4096 AND 32768 ORDER BY block DESC);
INSERT INTO ours SELECT 'lzma_4k_1k.growth', printf ('%.1f', 100 * sqrt (growth) - 100), '% a halving', 'papers/repair/history.csv, two halvings'
  FROM history WHERE block = 1024;
INSERT INTO ours SELECT 'lzma_16k_4k.growth', printf ('%.1f', 100 * exp (sum (ln (growth))) - 100), '%', 'papers/repair/history.csv' FROM history WHERE block IN (8192, 4096);
INSERT INTO ours SELECT 'lzma_2M_16k.growth', printf ('%.1f', 100 * exp (sum (ln (growth))) - 100), '%', 'papers/repair/history.csv, 30 endings with 4 men'
  FROM history WHERE block >= 16384;

-- Syzygy
INSERT INTO ours SELECT 'syzygy.positions_6', positions, 'positions', 'papers/syzygy/positions.csv, counted from the board''s symmetries' FROM "syzygy/positions" WHERE men = '6';
INSERT INTO ours SELECT 'syzygy.density', printf ('%.2f', 8.0 * sum (bytes) / sum (positions) FILTER (WHERE metric = 'wdl50')), 'bits/position',
    'papers/syzygy/metrics.csv, 3 and 4 men: WDL50 and DTZ50 of one side to move'
  FROM (SELECT metric, max (positions + 0) AS positions, min (iif (metric = 'dtz50', smaller_side, bytes) + 0) AS bytes FROM "syzygy/metrics"
    WHERE metric IN ('wdl50', 'dtz50') GROUP BY "table", metric);

-- Nemec 2007
CREATE TEMP VIEW codes AS SELECT code_bits + 0 AS bits, sum (others) AS others, 1.0 * sum (others) / sum (probes) AS share, sum (false_matches) AS found,
  max (entry_bytes) AS entry, max (position_bytes) AS position FROM "transposition/codes" GROUP BY 1;
INSERT INTO ours SELECT 'entry.bytes', entry, 'bytes', 'papers/transposition/codes.csv' FROM codes WHERE bits = 32;
INSERT INTO ours SELECT 'position.bytes', max (position), 'bytes', 'papers/transposition/codes.csv, sd_pos' FROM codes;
INSERT INTO ours SELECT 'codes.ratio', printf ('%.2f', sum (found) / sum (others / pow (2, bits))), 'times 2^-bits', 'papers/transposition/codes.csv, codes of 8 to 20 bits'
  FROM codes WHERE bits <= 20;
INSERT INTO ours SELECT 'codes.interval_32', printf ('%.0f', pow (2, 32) / 1e6 / max (share)), 's',
    'papers/transposition/codes.csv, 2^32 over the share of probes that find another position' FROM codes;
INSERT INTO ours SELECT 'codes.interval_64', printf ('%.0f', pow (2, 64) / 1e6 / 31557600 / max (share)), 'years', 'papers/transposition/codes.csv, likewise' FROM codes;
CREATE TEMP VIEW opening AS SELECT max (depth + 0) AS depth, nodes / seconds AS nodes, stores / seconds AS stores FROM "transposition/depth" -- of the deepest
WHERE "table" = 'yes' AND men = '32' AND fen LIKE 'rnbqkbnr%' AND nodes + 0 <= 5e6;
INSERT INTO ours SELECT 'search.depth', depth, 'plies', 'papers/transposition/depth.csv, initial position, 5 million nodes' FROM opening;
INSERT INTO ours SELECT 'search.nodes_per_s', 100000 * CAST (nodes / 1e5 AS INT), '1/s', 'papers/transposition/depth.csv, initial position' FROM opening;
INSERT INTO ours SELECT 'search.mb_per_s', printf ('%.0f', 8 * stores / 1e6), 'MB/s', 'papers/transposition/depth.csv, initial position' FROM opening;

-- What is so by definition, or stands in the sources
INSERT INTO ours VALUES
  ('table1.without.share', 100, '%', 'by definition'),
  ('table1.without.speed', 100, '%', 'by definition'),
  ('record.bits', 16, 'bits', 'docs/deviations.md, Makhnychev 2012, 3.4'),
  ('record.bytes', 2, 'bytes', 'docs/deviations.md, Makhnychev 2012, 3.4'),
  ('record.saved', 16, 'bits', 'before coding'),
  ('value_width', 8, 'bits', 'what codecs get (docs/deviations.md, Zakharov 2015, 1.2); 16 where a table has more values'),
  ('balance.group', 32, 'ranks', 'subdef gen, --group'),
  ('balance.period', 1, 's', 'subdef gen, --interval'),
  ('build_block', 262144, 'bytes', 'docs/deviations.md, Zakharov 2015, 1.2'),
  ('lzma_block', 16384, 'bytes', 'the baseline of reports'),
  ('repair_block.dtm', 1024, 'bytes', 'papers/repair'),
  ('repair_block.wdl', 128, 'bytes', 'papers/repair'),
  ('syzygy.block_positions', 65536, 'positions', 'syzygy/syzygy.h, SD_SYZYGY_BLOCK_SLOTS'),
  ('syzygy.sub_tables', 4, '', 'syzygy/index.c, files that are read and written'),
  ('syzygy.after_capture', '+-1 or +-101', 'ply', 'syzygy/probe.c'),
  ('syzygy.map_width', 8, 'bits', 'syzygy/header.c, also 16'),
  ('syzygy.offset', 100, 'ply', 'syzygy/pairs.c'),
  ('general_compressors', 6, 'codecs', 'lzma, zstd, brotli, zlib, bzip2, lz4');

SELECT printf ('%s,%s,%s,"%s"', "key", value, unit, "from") FROM ours;
