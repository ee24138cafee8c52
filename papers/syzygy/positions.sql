-- The counts beside the published ones.
SELECT printf ('* **Without rights** to castle or to take en passant, which the tables do not hold, the counts with 3 and 4 men are those of our exact tables, ending by ending (%,d positions in 35 endings).', sum (pawnless + with_pawns))
FROM "syzygy/positions" WHERE men + 0 < 5;
