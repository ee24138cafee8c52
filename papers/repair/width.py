#!/usr/bin/env python3
"""Zakharov 2015, 1.2 and 1.3: values of 1 byte, of 12 bits and of 2 bytes in LZMA blocks.

    subdef dump KQvKR KQvKR.bin --tables tables
    python3 papers/repair/width.py KQvKR.bin ... >width.csv

Every eighth block of files above 4 million values, every block of others. A value is the number of plies and one
more; 0 stands for drawn and for impossible positions. Blocks of so many positions, and of so many bytes.
"""
import array
import lzma
import os
import sys

POSITIONS = 16384
BYTES = 16384


def packed(values, width):
    """The values as bytes: one each, three for two of them, two each (little-endian)."""
    if width == 8:
        return bytes(values)
    if width == 16:
        out = array.array("H", values)
        if sys.byteorder == "big":
            out.byteswap()
        return out.tobytes()
    out = bytearray()
    for low, high in zip(values[::2], values[1::2]):
        out += bytes((low & 255, low >> 8 | (high & 15) << 4, high >> 4))
    return bytes(out)


def coded(block):
    filters = [{"id": lzma.FILTER_LZMA1, "preset": 6, "dict_size": 1 << 16}]
    return len(lzma.compress(block, lzma.FORMAT_RAW, filters=filters))


def main():
    print("ending,positions,block,bits8,bits12,bits16")
    for name in sys.argv[1:]:
        dump = array.array("h")
        with open(name, "rb") as file:
            dump.frombytes(file.read())
        if sys.byteorder == "big":
            dump.byteswap()
        step = 8 if len(dump) > 4 << 20 else 1
        plies = {value: 0 if value in (0, -32768) else value + 1 if value > 0 else -value for value in set(dump)}
        starts = range(0, len(dump), POSITIONS * step)
        blocks = [[plies[value] for value in dump[start:start + POSITIONS]] for start in starts]
        if max(plies.values()) > 255:
            sys.exit(name + ": a value of more than one byte")
        sums = {(kind, width): 0 for kind in ("positions", "bytes") for width in (8, 12, 16)}
        for block in blocks:
            for width in (8, 12, 16):
                whole = packed(block, width)
                sums["positions", width] += coded(whole)
                sums["bytes", width] += sum(coded(whole[at:at + BYTES]) for at in range(0, len(whole), BYTES))
        ending = os.path.basename(name).split(".")[0]
        for kind, size in (("positions", POSITIONS), ("bytes", BYTES)):
            print(ending, len(blocks) * POSITIONS, "%d %s" % (size, kind),
                  *(sums[kind, width] for width in (8, 12, 16)), sep=",")


main()
