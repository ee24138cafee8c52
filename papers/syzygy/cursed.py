"""Counts of a dtz50 table under the 50-move rule, beside those that Syzygy's author publishes.

    subdef info --statistics --json DIR/KNNvKP.dtz50.sdt | python3 cursed.py ../../tests/data/wdl-counts-5.csv

Published counts tell equal men apart, which is a factor but where no pawn stands and a mirror image exchanges
them; their distances are the longest ones of a side whoever is to move.
Exit status 1: some figure differs."""
import csv
import json
import math
import re
import sys

RESULTS = ["wins", "cursed_wins", "draws", "blessed_losses", "losses"]
LONGEST = ["longest_win_white", "longest_win_black", "longest_cursed_win_white", "longest_cursed_win_black"]


def result(value):
    """Number of the result of a value: n is a win in n plies, -(n + 1) a loss in n."""
    return 2 if value == 0 else (0 if value <= 100 else 1) if value > 0 else (4 if value >= -101 else 3)


def main():
    table = json.load(sys.stdin)[0]
    name = table["material"]
    equal = math.prod(math.factorial(len(run.group())) for run in re.finditer(r"([QRBNP])\1*", name))
    if equal > 1 and "P" not in name:
        sys.exit(f"cursed.py: {name}: equal men without a pawn are no factor")
    with open(sys.argv[1], encoding="utf-8", newline="") as file:
        published = {row["side_to_move"]: row for row in csv.DictReader(file) if row["material"] == name}
    longest, same = dict.fromkeys(LONGEST, 0), True
    print("| to move | won | cursed win | drawn | blessed loss | lost |\n|---|---:|---:|---:|---:|---:|")
    for side in table["values"]:
        counts = [0] * 5
        for row in side["histogram"]:
            kind, plies = result(row["value"]), abs(row["value"]) - (row["value"] < 0)
            counts[kind] += row["positions"]
            if kind != 2:
                winner = "white" if (side["to_move"] == "w") == (kind < 2) else "black"
                key = f"longest_{'cursed_' if kind in (1, 3) else ''}win_{winner}"
                longest[key] = max(longest[key], plies)
        print(f"| {side['to_move']} |", " | ".join(f"{n:,}" for n in counts), "|")
        same &= [equal * n for n in counts] == [int(published[side["to_move"]][key]) for key in RESULTS]
    sides = {side["to_move"] for side in table["values"]}
    if len(sides) == 1:  # equal sides are stored once, and what one of them wins, so does the other
        for key in LONGEST[::2]:
            other = key.replace("white", "black")
            longest[key] = longest[other] = max(longest[key], longest[other])
    print("\nlongest:", ", ".join(f"{key[8:].replace('_', ' ')} {n}" for key, n in longest.items()))
    same &= all(n == int(published["w"][key + "_dtz_ply"] or 0) for key, n in longest.items())
    print("published figures:", "the same" if same else "others")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
