#!/usr/bin/env python3
"""How many positions of chess there are with up to six men, without generating one of them.

Squares are filled one by one: a square is empty or holds one of the ten kinds of men beside the kings, so that a
product of small polynomials in the number of men counts all materials at once. The king of the side that has just
moved must not be attacked: along each of its eight lines the first man is no attacker. Positions that board symmetries
or an exchange of colours turn into one another are one position (Burnside: the identity and, without pawns, the two
diagonals are the only symmetries that leave placements of two kings as they are).

    positions.py          men, without pawns, with pawns, together; with rights to castle; with rights to take en passant
"""
from itertools import product

MOST = 4  # men beside the kings
LINES = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)]


def times(a, b):
    out = [0] * (MOST + 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b[: MOST + 1 - i]):
            out[i + j] += x * y
    return out


def monomial(factor, men):
    return [factor if i == men else 0 for i in range(MOST + 1)]


def line(square, step):
    file, rank, out = square & 7, square >> 3, []
    while 0 <= (file := file + step[0]) < 8 and 0 <= (rank := rank + step[1]) < 8:
        out.append(rank * 8 + file)
    return out


def distance(a, b):
    return sorted((abs((a & 7) - (b & 7)), abs((a >> 3) - (b >> 3))))


def mirrored(square):
    """In the diagonal a1-h8."""
    return (square & 7) * 8 + (square >> 3)


def kinds(square, pawns):
    return 10 if pawns and 0 < square >> 3 < 7 else 8


def fillings(fixed, pawns, symmetric=False):
    """Ways to add men to those of `fixed` (square -> letter, White's in capitals) with White to move, by their number.

    symmetric: only placements that the diagonal mirrors into themselves; the kings stand on it.
    """
    king = next(s for s, man in fixed.items() if man == "k")
    other = next(s for s, man in fixed.items() if man == "K")
    out = monomial(1, 0)
    if distance(king, other)[1] <= 1:
        return monomial(0, 0)
    men = lambda s: 2 if symmetric and s != mirrored(s) else 1
    seen = set(fixed)
    for step in LINES:
        squares = line(king, step)
        seen.update(squares)
        if symmetric and step in ((0, 1), (0, -1), (-1, 1)):
            continue  # the image of another line
        diagonal = step[0] != 0 and step[1] != 0
        behind = safe = monomial(1, 0)
        for i, s in reversed(list(enumerate(squares))):
            pawn_attacks = diagonal and i == 0 and step[1] < 0
            if s in fixed:
                attackers = ("QB" if diagonal else "QR") + ("P" if pawn_attacks else "")
                safe = monomial(0, 0) if fixed[s] in attackers else behind
                continue
            attacking = 3 if pawn_attacks and kinds(s, pawns) == 10 else 2
            first = times(monomial(kinds(s, pawns) - attacking, men(s)), behind)
            behind = [x + y for x, y in zip(behind, times(monomial(kinds(s, pawns), men(s)), behind))]
            safe = [x + y for x, y in zip(safe, first)]
        out = times(out, safe)
    for s, man in fixed.items():
        if man == "N" and distance(s, king) == [1, 2]:
            return monomial(0, 0)
    for s in range(64):
        if s not in seen and not (symmetric and mirrored(s) < s):
            knight = 1 if distance(s, king) == [1, 2] else 0
            here = monomial(kinds(s, pawns) - knight, men(s))
            here[0] += 1
            out = times(out, here)
    return out


def add(total, ways, men=0, factor=1):
    for i in range(MOST + 1 - men):
        total[i + men] += factor * ways[i]


def with_kings(fixed, white=range(64), black=range(64)):
    for a, b in product(white, black):
        if a != b and a not in fixed and b not in fixed:
            yield {**fixed, a: "K", b: "k"}


def plain():
    """Without and with pawns: positions up to symmetry."""
    pawnless, diagonal, both = [0] * (MOST + 1), [0] * (MOST + 1), [0] * (MOST + 1)
    for kings in with_kings({}):
        add(pawnless, fillings(kings, False))
        add(both, fillings(kings, True))
        if all(s == mirrored(s) for s in kings):
            add(diagonal, fillings(kings, False, symmetric=True))
    return (
        [(x + 2 * y) // 8 for x, y in zip(pawnless, diagonal)],
        [(y - x) // 2 for x, y in zip(pawnless, both)],
    )


def rights():
    """Each way to have rights to castle: the rooks that it needs, the squares of the kings."""
    for has in product((False, True), repeat=4):
        rooks = {s: man for s, man, there in zip((7, 0, 63, 56), "RRrr", has) if there}
        yield rooks, [4] if has[0] or has[1] else range(64), [60] if has[2] or has[3] else range(64)


def castling():
    out = [0] * (MOST + 1)
    for rooks, white, black in rights():
        for fixed in with_kings(rooks, white, black) if rooks and len(rooks) <= MOST else ():
            add(out, fillings(fixed, True), len(rooks))
    return out


def en_passant():
    """A black pawn on its fifth rank and a white one beside it; both neighbours count once."""
    out = [0] * (MOST + 1)
    for file in range(8):
        left, right = file > 0, file < 7
        for beside, factor in (((-1,), left), ((1,), right), ((-1, 1), -1 if left and right else 0)):
            pawns = {32 + file: "p", **{32 + file + d: "P" for d in beside if 0 <= file + d < 8}}
            for fixed in with_kings(pawns) if factor else ():
                add(out, fillings(fixed, True), len(pawns), factor)
    return [x // 2 for x in out]


def main():
    pawnless, pawns = plain()
    castles, passing = castling(), en_passant()
    print("men,pawnless,with_pawns,positions,castling,en_passant,all")
    for n in range(1, MOST + 1):
        positions = pawnless[n] + pawns[n]
        row = n + 2, pawnless[n], pawns[n], positions, castles[n], passing[n], positions + castles[n] + passing[n]
        print(*row, sep=",")


main()
