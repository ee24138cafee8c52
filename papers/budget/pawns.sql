-- One diagram for both sides to move, pawns in rows as a share of pawns in the numbering of the others.
SELECT printf ('One diagram for both sides to move begins with pawns in rows: of %d endings with pawns it took %.2f of the bytes with all squares '
    || 'folded (geometric mean; %.2f to %.2f, %s the most; `pawns.csv`).',
    count (*), exp (avg (ln (1.0 * rows / folded))), min (1.0 * rows / folded), max (1.0 * rows / folded),
    (SELECT ending FROM "budget/pawns" ORDER BY 1.0 * rows / folded DESC LIMIT 1))
  FROM "budget/pawns";
