-- Positions by men. Published: the number of positions of all tables of Syzygy with so many men, rights included.
SELECT '| men | without pawns | with pawns | together | rights to castle | to take en passant | all | published | ours more |';
SELECT '|---:|---:|---:|---:|---:|---:|---:|---:|---:|';
WITH p (men, published) AS (VALUES ('3', 368079), ('4', 125246598), ('5', 25912594054), ('6', 3787154440416))
SELECT printf ('| %s | %,d | %,d | %,d | %,d | %,d | %,d | %,d | %,d |', men, pawnless, with_pawns, positions, castling, en_passant, "all", published, "all" - published)
FROM "syzygy/positions" JOIN p USING (men);
