"""Subdefinite data in Python: chess endgame tables probed, arrays with free slots compressed, rows of sweeps read.

    import subdef

    with subdef.open_tablebase("tables") as tables:                # Syzygy's files, or tables of this project
        print(tables.probe_wdl("8/8/8/8/8/3k4/8/K6Q w - - 0 1"))   # 1, 0, -1; or a chess.Board

    packed = subdef.compress([3, 1, 4, 0, 5], free=[0, 0, 0, 1, 0])  # slot 3 may hold anything
    print(packed[0], packed[1:3], packed.nbytes)

    for row in subdef.sweep_rows("my.db"):
        print(row["codec"], row["bytes"])

Needs the standard library alone; arrays of numpy are taken and given where numpy is there. The libraries
libsubdef and libsubdef-probe are in the wheel, or are found where they are installed; SUBDEF_LIBRARY and
SUBDEF_PROBE_LIBRARY in the environment name other files of them.
"""

from .arrays import Compressed, Error, codecs, compress, open_compressed
from .sweeps import sweep_frame, sweep_rows
from .tables import (ALL, ANY_CODEC, MAP, SYZYGY_FIRST, MissingTableError, Move, RankedMove, Tablebase, TablebaseError,
                     open_tablebase)
from .wide import Wide, compress_wide, open_wide

__version__ = "0.1.0"
__all__ = ["ALL", "ANY_CODEC", "Compressed", "Error", "MAP", "MissingTableError", "Move", "RankedMove", "SYZYGY_FIRST",
           "Tablebase", "TablebaseError", "Wide", "codecs", "compress", "compress_wide", "open_compressed", "open_tablebase",
           "open_wide", "sweep_frame", "sweep_rows"]
