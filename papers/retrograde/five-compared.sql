-- Compares what subdef-gen --json tells of endings with 5 men (:lines, a file) with published WDL counts and longest mates: what five.csv
-- says, or DIFFERS and what. Published counts tell equal men apart. With pawns that is a factor; without, a few placements on the diagonal
-- count less, and only tests/gen/test_truth can tell: such endings get the word "mates" here, for longest mates alone.
CREATE TEMP TABLE line AS SELECT min (key) AS place, value ->> 'ending' AS ending, value AS told
FROM json_each (ifnull ('[' || replace (trim (CAST (readfile (:lines) AS TEXT), char (10)), char (10), ',') || ']', :lines)) WHERE length (value ->> 'ending') = 6 GROUP BY 2;
CREATE TEMP VIEW half AS SELECT ending, substr (ending, 2, instr (ending, 'v') - 2) AS men FROM line UNION ALL SELECT ending, substr (ending, instr (ending, 'v') + 2) FROM line;
CREATE TEMP VIEW equal AS SELECT ending, CAST (round (exp (sum (ln (CASE length (men) - length (replace (men, value, '')) WHEN 2 THEN 2 WHEN 3 THEN 6 ELSE 1 END)))) AS INT) AS times
FROM half JOIN json_each ('["Q", "R", "B", "N", "P"]') GROUP BY ending;
CREATE TEMP VIEW side AS SELECT ending, 'w' AS side, told -> 'white' AS told FROM line UNION ALL SELECT ending, 'b', told -> 'black' FROM line;
CREATE TEMP VIEW exact AS SELECT * FROM side JOIN equal USING (ending) JOIN "data/wdl-counts-5" ON material = ending AND side_to_move = side
WHERE times = 1 OR ending LIKE '%P%';
CREATE TEMP TABLE beside AS SELECT ending, 'WDL' AS kind, side || ' won' AS what, ifnull (told ->> 'won', 0) * times AS here, wins + cursed_wins AS published FROM exact
UNION ALL SELECT ending, 'WDL', side || ' drawn', ifnull (told ->> 'drawn', 0) * times, draws + 0 FROM exact
UNION ALL SELECT ending, 'WDL', side || ' lost', ifnull (told ->> 'lost', 0) * times, losses + blessed_losses FROM exact
UNION ALL SELECT ending, 'mates', side || ' longest ' || result_for_side_to_move, ifnull (told ->> ('longest_' || result_for_side_to_move || '_plies'), 0), plies + 0
  FROM side JOIN "data/dtm-maxima-5" ON material = ending AND side_to_move = side;
SELECT printf ('%s,%d,%d,%d,', ending, told ->> '$.white.positions', told ->> 'mate_moves', told ->> 'bytes')
  || ifnull ('DIFFERS: ' || group_concat (printf ('%s: %d here, %d published', what, here, published), '; ') FILTER (WHERE here <> published),
    CASE WHEN sum (kind = 'WDL') AND sum (kind = 'mates') THEN 'WDL and mates' WHEN sum (kind = 'mates') THEN 'mates' ELSE 'nothing published' END)
FROM line LEFT JOIN beside USING (ending) GROUP BY ending ORDER BY place;
-- one that differs is an error
CREATE TEMP TABLE published (figures_that_differ CHECK (figures_that_differ = 0));
INSERT INTO published SELECT count (*) FROM beside WHERE here <> published;
