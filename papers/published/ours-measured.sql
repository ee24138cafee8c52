-- Figures of ours that published ones are put beside, of what measure.sh left in the folder :work: lines of ours.csv.
CREATE TEMP TABLE ours ("key", value, unit, "from");
ATTACH :work || '/measure.db' AS measure;
CREATE TEMP TABLE file AS SELECT folder, value ->> 'material' AS ending, value ->> 'bytes' AS bytes, value -> 'sides' AS sides
FROM (SELECT column1 AS folder FROM (VALUES ('wdl'), ('lzma'), ('dtm'))) JOIN json_each (CAST (readfile (:work || '/' || folder || '.json') AS TEXT));
CREATE TEMP TABLE stream AS SELECT folder, ending, value ->> 'to_move' AS side, value ->> 'bytes' AS bytes, value ->> 'slots' AS slots FROM file JOIN json_each (sides);

-- Kristensen 2005: diagrams; of WDL the files are those of the last search
CREATE TEMP TABLE whole AS SELECT folder, f.ending AS ending, iif (folder = 'wdl', w.bytes, f.bytes) + 0 AS bytes,
  iif (folder = 'wdl', 'papers/obdd/wdl-3-4.csv', 'diagrams in papers/obdd/dtm-3-4.csv') AS "from"
FROM file f LEFT JOIN "obdd/wdl-3-4" w ON w.material = f.ending WHERE folder IN ('wdl', 'dtm');
INSERT INTO ours SELECT folder || '.' || ending || '.file', bytes, 'bytes', "from" || ', whole file' FROM whole;
INSERT INTO ours SELECT folder || '.all.file', sum (bytes), 'bytes', "from" || ', whole files' FROM whole GROUP BY folder;
CREATE TEMP TABLE diagram AS SELECT folder, ending, side, bytes, iif (side = 'w', 'White', 'Black') || ' to move' AS who,
  'diagrams in papers/obdd/' || iif (folder = 'wdl', 'wdl-two-streams', folder) || '-3-4.csv' AS "from" FROM stream WHERE folder IN ('wdl', 'dtm');
INSERT INTO ours SELECT folder || '.' || ending || '.' || side, bytes, 'bytes', "from" || ', stream of ' || who FROM diagram;
INSERT INTO ours SELECT folder || '.all.' || side, sum (bytes), 'bytes', "from" || ', streams of ' || who FROM diagram GROUP BY folder, side;
CREATE TEMP TABLE run AS SELECT "table" AS ending, side, bytes FROM measure.cell WHERE "group" = 'run-length';
INSERT INTO ours SELECT 'rle.' || ending || '.' || side, bytes, 'bytes', 'measure.conf, run-length' FROM run;
INSERT INTO ours SELECT 'runs_by_diagram', printf ('%.1f', 1.0 * sum (r.bytes) / sum (d.bytes)), 'times', 'measure.conf, run-length, by the diagrams above'
  FROM run r JOIN diagram d USING (ending, side) WHERE folder = 'wdl';
INSERT INTO ours SELECT 'all_steps.share', printf ('%.1f', 100 - 100.0 * sum (bytes) FILTER (WHERE "group" = 'kristensen') / sum (bytes) FILTER (WHERE "group" = 'nothing')),
    '%', 'measure.conf, kristensen against nothing' FROM measure.cell;
CREATE TEMP TABLE lookup AS SELECT "table" AS ending, max (get_ns) FILTER (WHERE codec = 'obdd') AS diagram, max (get_ns) FILTER (WHERE codec = 'lzma') AS lzma
FROM measure.cell WHERE "group" = 'lookup' GROUP BY 1;
INSERT INTO ours SELECT 'lookup.' || ending, printf ('%.3f', diagram / 1000), 'us', 'measure.conf, lookup, the slower side, median' FROM lookup;
INSERT INTO ours SELECT 'block_lookup.' || ending, printf ('%.1f', lzma / 1000), 'us', 'measure.conf, lookup, LZMA in blocks of 8 kB' FROM lookup;
INSERT INTO ours SELECT 'lookup.largest', printf ('%.3f', max (diagram) / 1000), 'us', 'measure.conf, lookup' FROM lookup;
INSERT INTO ours SELECT 'block_by_diagram.time', printf ('%.0f-%.0f', min (lzma / diagram), max (lzma / diagram)), 'times', 'measure.conf, lookup' FROM lookup;
INSERT INTO ours SELECT 'generate.memory_5', printf ('%.1f', max (value ->> 'process_bytes') / pow (2, 30)), 'GiB', 'subdef gen --men 5 --estimate'
  FROM json_each ('[' || replace (trim (CAST (readfile (:work || '/estimate5.json') AS TEXT), char (10)), char (10), ',') || ']');

-- Zakharov et al. 2015
INSERT INTO ours SELECT 'lzma_access.per_halving', group_concat (printf ('%.2f', times), ' '), 'times per halving from 16 kB', 'measure.conf, block-size, median of get_ns'
  FROM (SELECT max (get_ns) / lag (max (get_ns)) OVER (ORDER BY block DESC) AS times FROM measure.cell WHERE "group" = 'block-size' AND block BETWEEN 1024 AND 16384
    GROUP BY block ORDER BY block DESC) WHERE times IS NOT NULL;
INSERT INTO ours SELECT 'repair_by_lzma.saved', printf ('%.1f', 100 - 100.0 * (SELECT sum (optimal_bytes) FROM "repair/wdl-3-4") / sum (bytes)), '%',
    'papers/repair/wdl-3-4.csv, RE-PAIR by LZMA in 16 kB with the same freedom' FROM file WHERE folder = 'lzma';
INSERT INTO ours SELECT 'index.tight_by_square', printf ('%.1f', 100 - 100.0 * sum (tight) / sum (slots)), '%',
    'slots: placements of both kings (generator) against the product of squares'
  FROM (SELECT ending, sum (slots) AS slots FROM stream WHERE folder = 'wdl' GROUP BY 1)
    JOIN (SELECT ending, max (states + 0) AS tight FROM "retrograde/measured" GROUP BY 1) USING (ending);

-- KRBNvKRB
CREATE TEMP TABLE seven AS SELECT value ->> 'slots' AS slots, value ->> 'process_bytes' AS bytes
FROM json_each ('[' || replace (trim (CAST (readfile (:work || '/estimate.json') AS TEXT), char (10)), char (10), ',') || ']') WHERE value ->> 'ending' = 'KRBNvKRB';
INSERT INTO ours SELECT 'krbnvkrb.slots', slots, 'slots', 'subdef gen KRBNvKRB --estimate' FROM seven;
INSERT INTO ours SELECT 'krbnvkrb.bytes', printf ('%.2f', bytes / 1e12), 'TB', 'subdef gen KRBNvKRB --estimate --ranks 2039' FROM seven;

SELECT printf ('%s,%s,%s,"%s"', "key", value, unit, "from") FROM ours;
