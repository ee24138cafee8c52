-- Values of Fathom's interface under the 50-move rule beside those of fathom.h, by the number of men and what the tables are.
SELECT '| tables | men | endings | positions | with an en-passant square | another WDL | another root | other moves | other ranks by DTZ | by WDL | plies one more than rounded ones |';
SELECT '|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|';
SELECT printf ('| %s | %d | %d | %,d | %,d | %d | %d | %d | %d | %d | %,d |', tables, length (ending) - 1, count (*), sum (positions), sum (en_passant), sum (wdl), sum (root),
  sum (moves), sum (dtz_ranks), sum (wdl_ranks), sum (rounded)) FROM "probes/rules" GROUP BY tables, length (ending) ORDER BY tables DESC, length (ending);
SELECT printf ('| all | | | %,d | %,d | %d | %d | %d | %d | %d | %,d |', sum (positions), sum (en_passant), sum (wdl), sum (root),
  sum (moves), sum (dtz_ranks), sum (wdl_ranks), sum (rounded)) FROM "probes/rules";
