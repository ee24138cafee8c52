#!/usr/bin/env python3
"""What Stockfish finds in exported Syzygy files, beside what subdef says of the exact tables.

    stockfish.py SYZYGY TABLES [N [SEED]]     default: 100000 positions

SYZYGY holds .rtbw and .rtbz files, TABLES the exact dtz50 tables of the same endings. Random legal positions of all
endings that have both files, in turns, are given to `subdef probe` and to Stockfish, whose command `d` prints WDL and
DTZ. WDL must be equal, DTZ too but for files with full moves, in which it may be one less. SUBDEF and STOCKFISH name
other programs. Exit 0: all equal; 1: something differs; 77: there is no Stockfish.
"""
import json
import os
import random
import shutil
import subprocess
import sys

TOLD = {'Loss': -2, 'BlessedLoss': -1, 'Draw': 0, 'CursedWin': 1, 'Win': 2}


def fen(ending, rng):
    """A placement on random squares; it need not be legal."""
    white, black = ending.split('v')
    men = list(white) + list(black.lower())
    if rng.random() < 0.5:
        men = [c.swapcase() for c in men]
    squares = rng.sample(range(64), len(men))
    board = dict(zip(squares, men))
    if any(c in 'Pp' and not 8 <= s < 56 for s, c in board.items()):
        return None
    rows = []
    for rank in range(7, -1, -1):
        row, empty = '', 0
        for file in range(8):
            c = board.get(8 * rank + file)
            if not c:
                empty += 1
                continue
            row += (str(empty) if empty else '') + c
            empty = 0
        rows.append(row + (str(empty) if empty else ''))
    return '%s %s - - 0 1' % ('/'.join(rows), rng.choice('wb'))


def exact(fens, tables):
    """Of those that are legal: FEN, WDL under the rule, plies."""
    words = [os.environ.get('SUBDEF', 'subdef'), 'probe', '--json', '--tables', tables, '-']
    out = subprocess.run(words, input='\n'.join(fens) + '\n', text=True, stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, check=False).stdout
    for line in out.splitlines():
        row = json.loads(line)
        if 'wdl50' in row and row.get('moves'):
            yield row['fen'], row['wdl50'], row.get('dtz50', 0) or 0


def found(positions, folder, program):
    """Number of tables, and WDL and DTZ of each position, as Stockfish prints them."""
    words = ['setoption name SyzygyPath value ' + folder]
    words += ['position fen %s\nd' % p[0] for p in positions] + ['quit']
    out = subprocess.run([program], input='\n'.join(words) + '\n', text=True, stdout=subprocess.PIPE, check=True).stdout
    tables, wdl, dtz = 0, [], []
    for line in out.splitlines():
        if 'Found' in line and 'tablebases' in line:
            tables = int(line.split()[3])
        elif line.startswith('Tablebases WDL:'):
            wdl.append(TOLD.get(line.split()[2]) if 'ail' not in line.split('(')[-1] else None)
        elif line.startswith('Tablebases DTZ:'):
            dtz.append(int(line.split()[2]))
    return tables, list(zip(wdl, dtz))


def main():
    if not 3 <= len(sys.argv) <= 5:
        sys.exit(__doc__)
    folder, tables = sys.argv[1:3]
    want = int(sys.argv[3]) if len(sys.argv) > 3 else 100000
    rng = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
    program = os.environ.get('STOCKFISH') or shutil.which('stockfish') or shutil.which('/usr/games/stockfish')
    if not program:
        print('no Stockfish: skipped')
        sys.exit(77)
    files = os.listdir(folder)
    endings = sorted(f[:-5] for f in files if f.endswith('.rtbw') and f[:-5] + '.rtbz' in files)
    positions = []
    while len(positions) < want:
        more = [fen(endings[i % len(endings)], rng) for i in range(2000)]
        positions += list(exact([f for f in more if f], tables))
    del positions[want:]
    opened, values = found(positions, folder, program)
    differ = less = 0
    for (text, wdl, plies), (theirs, dtz) in zip(positions, values):
        same = theirs == wdl and (dtz > 0) == (wdl > 0) and (dtz < 0) == (wdl < 0)
        if not same or not (abs(dtz) == plies or (wdl and abs(dtz) == plies - 1)):
            differ += 1
            if differ <= 10:
                print('%s: Stockfish %s %d, exact %d %d' % (text, theirs, dtz, wdl, plies))
        elif abs(dtz) != plies:
            less += 1
    print('Stockfish opened %d endings of %d; %d positions: %d differ, %d are a ply less by rounding'
          % (opened, len(endings), len(values), differ, less))
    sys.exit(differ > 0 or len(values) != want or opened != len(endings))


if __name__ == '__main__':
    main()
