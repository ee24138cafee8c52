"""Chess endgame tables of subdef, probed through libsubdef-probe, in the manner of python-chess.

    import subdef
    with subdef.open_tablebase("tables") as tables:
        print(tables.probe_wdl("8/8/8/8/8/3k4/8/K6Q w - - 0 1"))   # 1, 0, -1: won, drawn, lost
        print(tables.probe_dtm(board))                             # plies to mate, negative: lost
        for move in tables.probe_root(board):                      # all moves, the best first
            print(move.uci, move.wdl, move.dtm)

A board is a FEN or anything with a method fen(), such as a chess.Board. Needs the standard library
and the shared library libsubdef-probe. SUBDEF_PROBE_LIBRARY in the environment names another file of it.
"""

import ctypes
import operator
import os
from collections import namedtuple

__all__ = ["MissingTableError", "Move", "Tablebase", "TablebaseError", "open_tablebase"]

OK, MISSING, DAMAGED, IO, UNSUPPORTED, ILLEGAL, CASTLING, MEN, MEMORY, ARGUMENT = range(10)
MAP, ALL, ANY_CODEC = 1, 2, 4
_SONAME = "libsubdef-probe.so.0"
_ROOM = 1024

Move = namedtuple("Move", "uci wdl dtm")
Move.__doc__ = "A legal move, seen by the side that makes it; dtm as Tablebase.probe_dtm, None: not known."


class TablebaseError(Exception):
    """A table is damaged, cannot be read or is not supported."""


class MissingTableError(KeyError):
    """No table holds the position, or one that it leads to."""

    def __str__(self):
        return str(self.args[0]) if self.args else ""


class _Position(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in
                ("white", "black", "kings", "queens", "rooks", "bishops", "knights", "pawns")]
    _fields_ += [(name, ctypes.c_uint8) for name in ("ep", "castling", "black_to_move")]


class _Move(ctypes.Structure):
    _fields_ = [("dtm", ctypes.c_int16), ("wdl", ctypes.c_int8), ("from_", ctypes.c_uint8),
                ("to", ctypes.c_uint8), ("promotion", ctypes.c_char), ("uci", ctypes.c_char * 6)]


def _load():
    named = os.environ.get("SUBDEF_PROBE_LIBRARY")
    if named:
        return ctypes.CDLL(named)
    folder = os.path.dirname(os.path.abspath(__file__))
    for _ in range(4):  # PREFIX/lib/pythonX.Y/site-packages -> PREFIX/lib
        folder = os.path.dirname(folder)
        candidate = os.path.join(folder, _SONAME)
        if os.path.exists(candidate):
            return ctypes.CDLL(candidate)
    return ctypes.CDLL(_SONAME)


def _declare(lib):
    prober, position = ctypes.c_void_p, ctypes.POINTER(_Position)
    text, size, number = ctypes.c_char_p, ctypes.c_size_t, ctypes.POINTER(ctypes.c_int)
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
            ("root", ctypes.c_int, (prober, position, ctypes.POINTER(_Move), ctypes.POINTER(ctypes.c_uint))),
            ("explain", ctypes.c_int, (prober, position, ctypes.c_int, text, size)),
            ("text", ctypes.c_char_p, (ctypes.c_int,))):
        function = getattr(lib, "sd_prober_" + name)
        function.restype = result
        function.argtypes = arguments
    return lib


_lib = _declare(_load())


def _raise(status, text):
    if status in (MISSING, MEN):
        raise MissingTableError(text)
    if status == CASTLING:
        raise KeyError(text)
    if status in (ILLEGAL, ARGUMENT):
        raise ValueError(text)
    if status == MEMORY:
        raise MemoryError(text)
    raise TablebaseError(text)


def _whole(text):
    """The bytes, if C sees the same text."""
    if b"\0" in text:
        raise ValueError("embedded null byte")
    return text


def _position(board):
    fen = board if isinstance(board, str) else board.fen()
    position = _Position()
    status = _lib.sd_prober_fen(_whole(fen.encode("utf-8", "replace")), ctypes.byref(position))
    if status != OK:
        _raise(status, "%s: %s" % (fen, _lib.sd_prober_text(status).decode()))
    return position


class Tablebase:
    """The tables of some folders. Probes may run in several threads; not meanwhile: open, add, close."""

    _prober = None  # of an object that was not opened

    def __init__(self, path="", flags=0):
        """path: folders, parted by colons, or a path object; flags: a sum of MAP, ALL and ANY_CODEC."""
        flags = operator.index(flags)
        if flags & ~(MAP | ALL | ANY_CODEC):  # ctypes would drop what is above 32 bits
            raise ValueError("flags: %d is no sum of MAP, ALL and ANY_CODEC" % flags)
        prober, message = ctypes.c_void_p(), ctypes.create_string_buffer(_ROOM)
        status = _lib.sd_prober_open(_whole(os.fsencode(path)), flags, ctypes.byref(prober), message, _ROOM)
        self.message = message.value.decode("utf-8", "replace")
        if status == MISSING:
            raise FileNotFoundError(self.message)
        if status != OK:
            _raise(status, self.message)
        self._prober = prober

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        self.close()

    def close(self):
        """Give back what was opened. May be called more than once."""
        if self._prober:
            _lib.sd_prober_close(self._prober)
            self._prober = None

    def _open(self):
        if not self._prober:
            raise ValueError("the tablebase is closed")
        return self._prober

    def add_directory(self, path):
        """The tables of more folders, behind those that there are; returns how many tables there are now."""
        message = ctypes.create_string_buffer(_ROOM)
        status = _lib.sd_prober_add(self._open(), _whole(os.fsencode(path)), message, _ROOM)
        self.message = message.value.decode("utf-8", "replace")
        if status == MISSING:
            raise FileNotFoundError(self.message)
        if status != OK:
            _raise(status, self.message)
        return len(self)

    def __len__(self):
        return _lib.sd_prober_tables(self._open())

    @property
    def men(self):
        """The number of men of the largest table, kings included."""
        return _lib.sd_prober_men(self._open())

    @property
    def skipped(self):
        """Why files that could not be opened were skipped, a sentence each."""
        sentences, message = [], ctypes.create_string_buffer(_ROOM)
        while _lib.sd_prober_skipped(self._open(), len(sentences), message, _ROOM) != OK:
            sentences.append(message.value.decode("utf-8", "replace"))
        return sentences

    def _fail(self, status, position, with_dtm):
        message = ctypes.create_string_buffer(_ROOM)
        _lib.sd_prober_explain(self._open(), ctypes.byref(position), with_dtm, message, _ROOM)
        _raise(status, message.value.decode("utf-8", "replace") or _lib.sd_prober_text(status).decode())

    def probe_wdl(self, board):
        """1, 0, -1: the side to move wins, draws, loses."""
        position, wdl = _position(board), ctypes.c_int()
        status = _lib.sd_prober_wdl(self._open(), ctypes.byref(position), ctypes.byref(wdl))
        if status != OK:
            self._fail(status, position, 0)
        return wdl.value

    def probe_dtm(self, board):
        """Plies to mate, negative where the side to move loses; 0: drawn, or mated on the board."""
        position, wdl, plies = _position(board), ctypes.c_int(), ctypes.c_int()
        status = _lib.sd_prober_dtm(self._open(), ctypes.byref(position), ctypes.byref(wdl), ctypes.byref(plies))
        if status != OK:
            self._fail(status, position, 1)
        return wdl.value * plies.value

    def get_wdl(self, board, default=None):
        """As probe_wdl, or `default` where no table holds the board."""
        try:
            return self.probe_wdl(board)
        except KeyError:
            return default

    def get_dtm(self, board, default=None):
        """As probe_dtm, or `default` where no table holds the board."""
        try:
            return self.probe_dtm(board)
        except KeyError:
            return default

    def probe_root(self, board):
        """All legal moves as a list of Move, the best first."""
        position, moves, n = _position(board), (_Move * 256)(), ctypes.c_uint()
        status = _lib.sd_prober_root(self._open(), ctypes.byref(position), moves, ctypes.byref(n))
        if status != OK:
            self._fail(status, position, 0)
        return [Move(m.uci.decode(), m.wdl, None if m.dtm < 0 else m.wdl * m.dtm) for m in moves[:n.value]]


def open_tablebase(path, flags=0):
    """The tables of the folders of a path, which colons part. FileNotFoundError: none of them is there."""
    return Tablebase(path, flags)
