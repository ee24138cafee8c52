#!/usr/bin/env python3
"""Test cubes, and codes of run lengths for them.

    cubes.py make CUBES BITS SHARE SEED     a set on standard output: a line a cube, 0, 1 and X
    cubes.py code FILE                      bytes by Golomb's code and by FDR, as a row: bits, share of X, golomb, fdr

Made cubes look like those of scan chains: a fault asks for a few bits that lie near each other, most cubes ask for the bits of some
fault more, and 0 is asked for more often than 1. SHARE of all bits are X in the end. The same numbers make the same bytes everywhere.

Both codes take the bits of all cubes one behind the other, with 0 for each X, as runs of 0 that a 1 ends (Chandra, Chakrabarty 2001
and 2003). Golomb's code of a run has its length divided by m in unary and the rest in log2 m bits, with the m that makes least. FDR has for
the runs of 2^k - 2 to 2^(k+1) - 3 a prefix of k bits, ones and a zero, and k bits more. What was coded is decoded and compared.
"""

import sys


class Numbers:
    """splitmix64"""

    def __init__(self, seed):
        self.state = seed

    def draw(self, below):
        self.state = (self.state + 0x9E3779B97F4A7C15) % 2 ** 64
        z = self.state
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2 ** 64
        z = (z ^ z >> 27) * 0x94D049BB133111EB % 2 ** 64
        return (z ^ z >> 31) % below


def make(cubes, bits, share, seed):
    numbers = Numbers(seed)
    for _ in range(cubes):
        cube, left = ["X"] * bits, round((1 - share) * bits)
        while left > 0:
            at, wide = numbers.draw(bits), 1 + numbers.draw(24)
            usual = numbers.draw(4) == 0  # of this fault
            for place in range(at, min(at + wide, bits)):
                if left > 0 and cube[place] == "X" and numbers.draw(3):
                    cube[place] = "1" if (numbers.draw(5) == 0) != usual else "0"
                    left -= 1
        print("".join(cube))


def runs_of(bits):
    """Lengths of runs of 0 that a 1 ends; the last one as if a 1 came."""
    return [len(run) for run in bits.split("1")]


def golomb(runs, k):
    out = []
    for run in runs:
        out.append("1" * (run >> k) + "0" + (format(run & ((1 << k) - 1), "0%db" % k) if k else ""))
    return "".join(out)


def golomb_runs(code, k):
    at, runs = 0, []
    while at < len(code):
        stop = code.index("0", at)
        runs.append((stop - at << k) + (int(code[stop + 1:stop + 1 + k], 2) if k else 0))
        at = stop + 1 + k
    return runs


def fdr(runs):
    out = []
    for run in runs:
        k = (run + 2).bit_length() - 1
        out.append("1" * (k - 1) + "0" + format(run + 2 - (1 << k), "0%db" % k))
    return "".join(out)


def fdr_runs(code):
    at, runs = 0, []
    while at < len(code):
        k = code.index("0", at) - at + 1
        runs.append((1 << k) - 2 + int(code[at + k:at + 2 * k], 2))
        at += 2 * k
    return runs


def code(path):
    with open(path, encoding="ascii") as file:
        text = "".join(line.strip() for line in file)
    runs = runs_of(text.replace("X", "0"))
    best = min((golomb(runs, k) for k in range(12)), key=len)
    place = [golomb(runs, k) for k in range(12)].index(best)
    if golomb_runs(best, place) != runs or fdr_runs(fdr(runs)) != runs:
        sys.exit("cubes.py: what was coded is not what is decoded")
    print("%d,%.4f,%d,%d" % (len(text), text.count("X") / len(text), (len(best) + 7) // 8, (len(fdr(runs)) + 7) // 8))


if sys.argv[1:2] == ["make"] and len(sys.argv) == 6:
    make(int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]), int(sys.argv[5]))
elif sys.argv[1:2] == ["code"] and len(sys.argv) == 3:
    code(sys.argv[2])
else:
    sys.exit(__doc__)
