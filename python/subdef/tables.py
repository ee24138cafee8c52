"""Chess endgame tables, probed through libsubdef-probe, in the manner of python-chess."""

import ctypes
import operator
import os
from typing import Any, List, NamedTuple, Optional, Union

from . import _libraries

OK, MISSING, DAMAGED, IO, UNSUPPORTED, ILLEGAL, CASTLING, MEN, MEMORY, ARGUMENT = range(10)
MAP, ALL, ANY_CODEC, SYZYGY_FIRST = 1, 2, 4, 8
_WDL, _DTM, _WDL50, _DTZ50 = range(4)
_ROOM = 1024

_Path = Union[str, "os.PathLike[str]"]
_Board = Any  # a FEN, or anything with a method fen(), such as a chess.Board


class Move(NamedTuple):
    """A legal move, seen by the side that makes it; dtm as Tablebase.probe_dtm, None: not known."""
    uci: str
    wdl: int
    dtm: Optional[int]


class RankedMove(NamedTuple):
    """A legal move under the 50-move rule, seen by the side that makes it. rank: 1000 (won) to -1000 (lost), as
    Fathom ranks; wdl: with the clock of the board; dtz: as Tablebase.probe_dtz, from before the move on."""
    uci: str
    rank: int
    wdl: int
    dtz: int


class TablebaseError(Exception):
    """A table is damaged, cannot be read or is not supported."""


class MissingTableError(KeyError):
    """No table holds the position, or one that it leads to."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class _Position(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in
                ("white", "black", "kings", "queens", "rooks", "bishops", "knights", "pawns")]
    _fields_ += [(name, ctypes.c_uint8) for name in ("ep", "castling", "black_to_move", "clock")]


class _Move(ctypes.Structure):
    _fields_ = [("dtm", ctypes.c_int16), ("dtz50", ctypes.c_int16), ("rank", ctypes.c_int16), ("wdl", ctypes.c_int8),
                ("wdl50", ctypes.c_int8), ("from_", ctypes.c_uint8), ("to", ctypes.c_uint8),
                ("promotion", ctypes.c_char), ("uci", ctypes.c_char * 6)]


def _declare(lib: ctypes.CDLL) -> None:
    prober, position = ctypes.c_void_p, ctypes.POINTER(_Position)
    text, size, number = ctypes.c_char_p, ctypes.c_size_t, ctypes.POINTER(ctypes.c_int)
    moves, count = ctypes.POINTER(_Move), ctypes.POINTER(ctypes.c_uint)
    for name, result, arguments in (
            ("open", ctypes.c_int, (text, ctypes.c_uint, ctypes.POINTER(prober), text, size)),
            ("add", ctypes.c_int, (prober, text, text, size)),
            ("close", None, (prober,)),
            ("tables", ctypes.c_uint, (prober,)),
            ("men", ctypes.c_uint, (prober,)),
            ("skipped", ctypes.c_int, (prober, ctypes.c_uint, text, size)),
            ("fen", ctypes.c_int, (text, position)),
            ("wdl", ctypes.c_int, (prober, position, number)),
            ("dtm", ctypes.c_int, (prober, position, number, number)),
            ("wdl50", ctypes.c_int, (prober, position, number)),
            ("dtz50", ctypes.c_int, (prober, position, number, number)),
            ("root", ctypes.c_int, (prober, position, moves, count)),
            ("root_dtz50", ctypes.c_int, (prober, position, ctypes.c_int, moves, count)),
            ("explain", ctypes.c_int, (prober, position, ctypes.c_int, text, size)),
            ("text", ctypes.c_char_p, (ctypes.c_int,))):
        function = getattr(lib, "sd_prober_" + name)
        function.restype = result
        function.argtypes = arguments


_lib = _libraries.Library("subdef-probe", _declare)


def _raise(status: int, text: str) -> None:
    if status in (MISSING, MEN):
        raise MissingTableError(text)
    if status == CASTLING:
        raise KeyError(text)
    if status in (ILLEGAL, ARGUMENT):
        raise ValueError(text)
    if status == MEMORY:
        raise MemoryError(text)
    raise TablebaseError(text)


def _whole(text: bytes) -> bytes:
    """The bytes, if C sees the same text."""
    if b"\0" in text:
        raise ValueError("embedded null byte")
    return text


def _position(board: _Board) -> _Position:
    fen = board if isinstance(board, str) else board.fen()
    position = _Position()
    status = _lib.sd_prober_fen(_whole(fen.encode("utf-8", "replace")), ctypes.byref(position))
    if status != OK:
        _raise(status, "%s: %s" % (fen, _lib.sd_prober_text(status).decode()))
    return position


class Tablebase:
    """The tables of some folders. Probes may run in several threads; not meanwhile: open, add, close."""

    _prober = None  # of an object that was not opened

    def __init__(self, path: _Path = "", flags: int = 0) -> None:
        """path: folders, parted by colons, or a path object; flags: a sum of MAP, ALL, ANY_CODEC and SYZYGY_FIRST."""
        flags = operator.index(flags)
        if flags & ~(MAP | ALL | ANY_CODEC | SYZYGY_FIRST):  # ctypes would drop what is above 32 bits
            raise ValueError("flags: %d is no sum of MAP, ALL, ANY_CODEC and SYZYGY_FIRST" % flags)
        prober, message = ctypes.c_void_p(), ctypes.create_string_buffer(_ROOM)
        status = _lib.sd_prober_open(_whole(os.fsencode(path)), flags, ctypes.byref(prober), message, _ROOM)
        self.message = message.value.decode("utf-8", "replace")
        if status == MISSING:
            raise FileNotFoundError(self.message)
        if status != OK:
            _raise(status, self.message)
        self._prober = prober

    def __enter__(self) -> "Tablebase":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()

    def __copy__(self) -> "Tablebase":
        raise TypeError("a Tablebase cannot be copied: open the path again")

    def __deepcopy__(self, memo: Any) -> "Tablebase":
        return self.__copy__()

    def __reduce__(self) -> Any:
        return self.__copy__()

    def close(self) -> None:
        """Give back what was opened. May be called more than once."""
        if self._prober:
            _lib.sd_prober_close(self._prober)
            self._prober = None

    def _open(self) -> ctypes.c_void_p:
        if not self._prober:
            raise ValueError("the tablebase is closed")
        return self._prober

    def add_directory(self, path: _Path) -> int:
        """The tables of more folders, behind those that there are; returns how many tables there are now."""
        message = ctypes.create_string_buffer(_ROOM)
        status = _lib.sd_prober_add(self._open(), _whole(os.fsencode(path)), message, _ROOM)
        self.message = message.value.decode("utf-8", "replace")
        if status == MISSING:
            raise FileNotFoundError(self.message)
        if status != OK:
            _raise(status, self.message)
        return len(self)

    def __len__(self) -> int:
        return _lib.sd_prober_tables(self._open())

    @property
    def men(self) -> int:
        """The number of men of the largest table, kings included."""
        return _lib.sd_prober_men(self._open())

    @property
    def skipped(self) -> List[str]:
        """Why files that could not be opened were skipped, a sentence each."""
        sentences, message = [], ctypes.create_string_buffer(_ROOM)
        while _lib.sd_prober_skipped(self._open(), len(sentences), message, _ROOM) != OK:
            sentences.append(message.value.decode("utf-8", "replace"))
        return sentences

    def _fail(self, status: int, position: _Position, metric: int) -> None:
        message = ctypes.create_string_buffer(_ROOM)
        _lib.sd_prober_explain(self._open(), ctypes.byref(position), metric, message, _ROOM)
        _raise(status, message.value.decode("utf-8", "replace") or _lib.sd_prober_text(status).decode())

    def _probe(self, probe: Any, metric: int, board: _Board, numbers: int) -> List[int]:
        """What a function of the library stores in so many numbers."""
        position, out = _position(board), [ctypes.c_int() for _ in range(numbers)]
        status = probe(self._open(), ctypes.byref(position), *map(ctypes.byref, out))
        if status != OK:
            self._fail(status, position, metric)
        return [number.value for number in out]

    def probe_wdl(self, board: _Board) -> int:
        """1, 0, -1: the side to move wins, draws, loses, without the 50-move rule."""
        return self._probe(_lib.sd_prober_wdl, _WDL, board, 1)[0]

    def probe_dtm(self, board: _Board) -> int:
        """Plies to mate, negative where the side to move loses; 0: drawn, or mated on the board."""
        wdl, plies = self._probe(_lib.sd_prober_dtm, _DTM, board, 2)
        return wdl * plies

    def probe_wdl50(self, board: _Board) -> int:
        """As chess.syzygy's probe_wdl: 2 won, 1 cursed win, 0 drawn, -1 blessed loss, -2 lost, after a capture or a pawn
        move."""
        return self._probe(_lib.sd_prober_wdl50, _WDL50, board, 1)[0]

    def probe_dtz(self, board: _Board) -> int:
        """As chess.syzygy's probe_dtz: plies to the next capture, pawn move or mate, negative where the side to move
        loses, more than 100 where the 50-move rule makes a draw of it; -1: mated on the board; 0: drawn. Where
        .rtbz files are rounded there may be one more."""
        wdl, plies = self._probe(_lib.sd_prober_dtz50, _DTZ50, board, 2)
        return max(plies, 1) * ((wdl > 0) - (wdl < 0))

    def _get(self, probe: Any, board: _Board, default: Any) -> Any:
        try:
            return probe(board)
        except KeyError:
            return default

    def get_wdl(self, board: _Board, default: Optional[int] = None) -> Optional[int]:
        """As probe_wdl, or `default` where no table holds the board."""
        return self._get(self.probe_wdl, board, default)

    def get_dtm(self, board: _Board, default: Optional[int] = None) -> Optional[int]:
        """As probe_dtm, or `default` where no table holds the board."""
        return self._get(self.probe_dtm, board, default)

    def get_wdl50(self, board: _Board, default: Optional[int] = None) -> Optional[int]:
        """As probe_wdl50, or `default` where no table holds the board."""
        return self._get(self.probe_wdl50, board, default)

    def get_dtz(self, board: _Board, default: Optional[int] = None) -> Optional[int]:
        """As probe_dtz, or `default` where no table holds the board."""
        return self._get(self.probe_dtz, board, default)

    def _moves(self, probe: Any, metric: int, board: _Board, *more: int) -> List[_Move]:
        position, moves, n = _position(board), (_Move * 256)(), ctypes.c_uint()
        status = probe(self._open(), ctypes.byref(position), *more, moves, ctypes.byref(n))
        if status != OK:
            self._fail(status, position, metric)
        return moves[:n.value]

    def probe_root(self, board: _Board) -> List[Move]:
        """All legal moves, the best first: by plies to mate where DTM tables know them, else by results."""
        return [Move(m.uci.decode(), m.wdl, None if m.dtm < 0 else m.wdl * m.dtm)
                for m in self._moves(_lib.sd_prober_root, _WDL, board)]

    def rank_moves(self, board: _Board, repeated: bool = False) -> List[RankedMove]:
        """All legal moves by what counts in a game under the 50-move rule, with the half-move clock of the board, the
        best first. repeated: a position has occurred twice since the last capture or pawn move."""
        return [RankedMove(m.uci.decode(), m.rank, m.wdl50, m.wdl * m.dtz50)
                for m in self._moves(_lib.sd_prober_root_dtz50, _DTZ50, board, int(repeated))]


def open_tablebase(path: _Path, flags: int = 0) -> Tablebase:
    """The tables of the folders of a path, which colons part. FileNotFoundError: none of them is there."""
    return Tablebase(path, flags)
