#!/usr/bin/env python3
"""The checksums of docs/checksums.csv, made once more from plain numbers, without anything of subdef.

checksum.py ENDING DUMP: ENDING as KRvK (without equal men on one side, which would have to be sorted), DUMP
what `subdef dump ENDING DUMP` has written. Prints "ENDING,dtm,SIDE,positions,checksum" for each side to move.
"""
import array
import sys

MASK = 2**64 - 1
ILLEGAL = -32768


def splitmix64(state):
    """The first number of the generator splitmix64 from this state."""
    z = (state + 0x9E3779B97F4A7C15) & MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def images(pawns):
    """The board's images as lists of squares: 2 of them keep the pawns' direction."""
    mirrors = [lambda s: s, lambda s: s ^ 7]
    if not pawns:
        mirrors += [lambda s: s ^ 56, lambda s: s ^ 63]
        mirrors += [lambda s, f=f: (f(s) >> 3) | (f(s) & 7) << 3 for f in mirrors[:4]]
    return [[f(s) for s in range(64)] for f in mirrors]


def main(ending, dump):
    men = len(ending) - 1
    values = array.array("h")
    with open(dump, "rb") as f:
        values.frombytes(f.read())
    if sys.byteorder == "big":
        values.byteswap()
    boards = images("P" in ending)
    white, black = ending.split("v")
    for side, name in enumerate("w" if white == black else "wb"):
        total = positions = 0
        for number in range(64**men):
            value = values[side * 64**men + number]
            if value == ILLEGAL:
                continue
            squares = [number >> 6 * i & 63 for i in reversed(range(men))]
            for board in boards:
                other = 0
                for square in squares:
                    other = other << 6 | board[square]
                if other < number:
                    break
            else:
                positions += 1
                total += splitmix64(number << 16 | value & 0xFFFF)
        print(f"{ending},dtm,{name},{positions},{total & MASK:016x}")


main(sys.argv[1], sys.argv[2])
