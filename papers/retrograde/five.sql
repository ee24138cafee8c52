-- Endings with 5 men that agree with published figures.
SELECT printf ('**All %d endings agree**, WDL counts and longest mates of both sides (`five.csv`). Published counts tell equal men apart. With pawns that is a factor; the %d endings without pawns where two men are equal (the word "mates" in `five.csv`) are compared by the last command, which counts their positions anew.',
  count (*), sum (compared = 'mates')) FROM "retrograde/five" WHERE compared <> '';
SELECT '';
SELECT '| ending | longest mate, moves | table, bytes | codec |';
SELECT '|---|---:|---:|---|';
SELECT printf ('| %s | %d | %,d | %s |', ending, mate_moves, bytes, codec) FROM "retrograde/five"
WHERE ending IN ('KQRvKQ', 'KRPvKR', 'KBPvKN', 'KPPvKP', 'KNNvKP', 'KBBvKN', 'KQPvKQ', 'KQPvKP', 'KRPvKQ', 'KBNvKN') ORDER BY bytes + 0 DESC;
