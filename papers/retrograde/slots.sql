-- For other queries: slots of the endings of `wanted (ending)`, both sides to move unless these are alike; `free`: if each man stood on a
-- square that the men before it left. 462 placements of the kings, 1806 with pawns; 64 squares a piece, 48 a pawn; equal men once. Pawns
-- come first and keep their 48 squares, on which a king may stand.
CREATE TEMP VIEW slots AS WITH RECURSIVE
  number (n) AS (VALUES (0) UNION ALL SELECT n + 1 FROM number WHERE n < 64),
  choose (n, k, ways) AS (SELECT n, 0, 1 FROM number UNION ALL SELECT n, k + 1, ways * (n - k) / (k + 1) FROM choose WHERE k < 5),
  half AS (SELECT DISTINCT ending, substr (ending, 1, instr (ending, 'v') - 1) AS white, substr (ending, instr (ending, 'v') + 1) AS black FROM wanted),
  -- White's and Black's pawns, then queens, ...
  men AS (SELECT ending, n AS at, iif (n < 3, 48, 64) AS squares, iif (n < 3, 2, 0) AS kings,
      length (iif (n % 2, white, black)) - length (replace (iif (n % 2, white, black), substr ('PPQQRRBBNN', n, 1), '')) AS k
    FROM half JOIN number ON n BETWEEN 1 AND 10),
  placed (ending, at, taken, slots, free) AS (
    SELECT ending, 0, 2, kings, kings FROM (SELECT ending, iif (ending GLOB '*P*', 1806, 462) * iif (white = black, 1, 2) AS kings FROM half)
    UNION ALL SELECT p.ending, m.at, taken + m.k, slots * a.ways, free * f.ways FROM placed p JOIN men m ON m.ending = p.ending AND m.at = p.at + 1
      JOIN choose a ON a.n = squares AND a.k = m.k JOIN choose f ON f.n = squares - taken + m.kings AND f.k = m.k)
SELECT ending, slots, free FROM placed WHERE at = 10;
