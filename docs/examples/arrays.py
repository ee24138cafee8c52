#!/usr/bin/env python3
"""Make the data of docs/data.md in the current folder: Boolean functions with don't-cares, and a grid of
values with a land mask. No library but Python's own; the same bytes each time."""
import math
import struct


def npy(name, descr, shape, data):
    """An .npy file of version 1, as numpy.save writes it."""
    head = "{'descr': '%s', 'fortran_order': False, 'shape': (%s,), }" % (descr, ", ".join(map(str, shape)))
    head += " " * (-(10 + len(head) + 1) % 64) + "\n"
    with open(name, "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + data)


def decimals():
    """The sum of two decimal digits and a carry, as BCD: a carry and a digit. Inputs: 4 bits, 4 bits, 1 bit. Where an
    input is no digit, the outputs are free: raw values and a mask, the output first."""
    value, free = bytearray(), bytearray()
    for bit in range(4, -1, -1):
        for i in range(512):
            a, b, carry = i >> 5, i >> 1 & 15, i & 1
            total = a + b + carry
            bcd = (total // 10) << 4 | total % 10
            value.append(bcd >> bit & 1 if a < 10 and b < 10 else 0)
            free.append(a > 9 or b > 9)
    open("bcd.raw", "wb").write(value)
    open("bcd-free.raw", "wb").write(free)


def adder():
    """The sum of two numbers of 4 bits, where the first one is never less than the second: fd, the others are free."""
    lines = [".i 8", ".o 5", ".type fd"]
    for a in range(16):
        for b in range(16):
            out = format(a + b, "05b") if a >= b else "-----"
            lines.append("%s%s %s" % (format(a, "04b"), format(b, "04b"), out))
    open("adder.pla", "w").write("\n".join(lines + [".e", ""]))


def segments():
    """The seven segments a to g of a BCD digit; 10 to 15 are no digits, and the segments are free."""
    lit = ["1111110", "0110000", "1101101", "1111001", "0110011", "1011011", "1011111", "1110000", "1111111",
           "1111011"]
    lines = [".i 4", ".o 7", ".type fr", ".p 10"]
    lines += ["%s %s" % (format(d, "04b"), lit[d]) for d in range(10)]
    open("segments.pla", "w").write("\n".join(lines + [".e", ""]))


def sea():
    """Temperatures of the sea in tenths of a degree on a grid of 180 by 360, a few waves and a noise of at most 0.2
    degrees; land is masked and holds -999. The bounds are what a tolerance of 0.3 degrees allows."""
    height, width = 180, 360
    temperature, land, low, high = [], bytearray(), [], []
    state = 1
    for y in range(height):
        for x in range(width):
            state = (state * 1103515245 + 12345) % 2 ** 31
            north, east = math.radians(y - 90), math.radians(x)
            shore = (math.sin(3 * east + 1) + math.sin(2 * east - 2 * north) + math.cos(5 * north + east)
                     + 0.3 * math.sin(11 * east) * math.cos(9 * north))
            t = round(300 * math.cos(north) ** 2 - 18 + 20 * math.sin(2 * east) * math.cos(north)) + state // 65536 % 5 - 2
            land.append(shore > 0.7)
            temperature.append(-999 if land[-1] else t)
            low.append(-32768 if land[-1] else t - 3)
            high.append(32767 if land[-1] else t + 3)
    npy("sea.npy", "<i2", (height, width), struct.pack("<%dh" % len(land), *temperature))
    npy("land.npy", "|b1", (height, width), bytes(land))
    npy("low.npy", "<i2", (height, width), struct.pack("<%dh" % len(land), *low))
    npy("high.npy", "<i2", (height, width), struct.pack("<%dh" % len(land), *high))


decimals()
adder()
segments()
sea()
