#!/usr/bin/env python3
"""Lets an engine play positions out against itself: play.py ENGINE PATH FEN... (UCI; PATH is its SyzygyPath).

A row of CSV for each position: the position, plies played, the last move; "no move" where the engine has none left.
"""

import subprocess
import sys


class Engine:
    def __init__(self, program, path):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, universal_newlines=True, bufsize=1)
        self.say("uci")
        self.say("setoption name SyzygyPath value " + path)
        self.wait("readyok", "isready")

    def say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def wait(self, word, line):
        """The first line that begins with the word."""
        self.say(line)
        for answer in self.process.stdout:
            if answer.startswith(word):
                return answer.split()
        sys.exit("play.py: the engine has ended")

    def moves(self, position):
        """How many legal moves there are."""
        self.say(position)
        self.say("perft 1")
        for answer in self.process.stdout:
            if answer.strip().isdigit():
                return int(answer)
        sys.exit("play.py: the engine has ended")


def main():
    engine = Engine(sys.argv[1], sys.argv[2])
    for fen in sys.argv[3:]:
        played = []
        while len(played) < 300 and engine.moves("position fen %s moves %s" % (fen, " ".join(played))):
            engine.say("position fen %s moves %s" % (fen, " ".join(played)))
            played.append(engine.wait("bestmove", "go depth 6")[1])
        print("%s,%d,%s" % (fen, len(played), played[-1] if played else "no move"))
        sys.stdout.flush()
    engine.say("quit")


if len(sys.argv) < 4:
    sys.exit(__doc__)
main()
