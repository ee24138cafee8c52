"""Arrays of whole numbers in which slots may hold more than one value, coded through libsubdef."""

import array
import ctypes
import operator
import os
import weakref
from typing import Any, Iterator, List, Optional, Sequence, Tuple, Union

from . import _libraries

_OK, _ARGUMENT, _VALUES, _LIMIT, _CODEC, _DAMAGED, _UNSUPPORTED, _DIFFERS, _MEMORY = range(9)
_ROOM = 1024
_TYPES = ("", "uint8", "int8", "uint16", "int16")  # by enum sd_data_type
_CODES = ("", "B", "b", "H", "h")                  # of them in the module array
_Path = Union[str, "os.PathLike[str]"]

try:
    import numpy
except ImportError:
    numpy = None  # type: ignore


class Error(Exception):
    """Bytes that are damaged or of a newer version, or no memory."""


class _Input(ctypes.Structure):
    _fields_ = [("value", ctypes.c_void_p), ("n", ctypes.c_uint64), ("dim", ctypes.c_void_p), ("ndims", ctypes.c_uint),
                ("type", ctypes.c_int), ("mask", ctypes.c_void_p), ("set", ctypes.c_void_p), ("sets", ctypes.c_char_p),
                ("low", ctypes.c_void_p), ("high", ctypes.c_void_p)]


class _Info(ctypes.Structure):
    _fields_ = [("slots", ctypes.c_uint64), ("dim", ctypes.c_uint32 * 16), ("ndims", ctypes.c_uint),
                ("type", ctypes.c_int), ("values", ctypes.c_uint), ("codec", ctypes.c_char_p),
                ("settings", ctypes.c_char_p)]
    _fields_ += [(name, ctypes.c_uint64) for name in ("bytes", "stream_bytes", "header_bytes", "model_bytes",
                                                      "index_bytes", "payload_bytes", "blocks", "dictionary")]


def _declare(lib: ctypes.CDLL) -> None:
    pointer, text, size = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t
    out, number = ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_int32)
    for name, result, arguments in (
            ("data_new", ctypes.c_int, (ctypes.POINTER(_Input), out, text, size)),
            ("data_free", None, (pointer,)),
            ("coded_text", text, (ctypes.c_int,)),
            ("coded_codec", text, (ctypes.c_uint,)),
            ("coded_codec_text", text, (text,)),
            ("coded_encode", ctypes.c_int, (pointer, text, text, out, text, size)),
            ("coded_open", ctypes.c_int, (pointer, size, ctypes.c_uint, out, text, size)),
            ("coded_close", None, (pointer,)),
            ("coded_bytes", pointer, (pointer, ctypes.POINTER(size))),
            ("coded_describe", None, (pointer, ctypes.POINTER(_Info))),
            ("coded_get", ctypes.c_int, (pointer, ctypes.c_uint64, number)),
            ("coded_read", ctypes.c_int, (pointer, ctypes.c_uint64, ctypes.c_uint64, pointer, text, size))):
        function = getattr(lib, "sd_" + name)
        function.restype = result
        function.argtypes = arguments


_lib = _libraries.Library("subdef", _declare)


def _raise(status: int, message: "ctypes.Array[ctypes.c_char]") -> None:
    text = message.value.decode("utf-8", "replace") or _lib.sd_coded_text(status).decode()
    if status in (_ARGUMENT, _VALUES, _LIMIT, _CODEC):
        raise ValueError(text)
    if status == _MEMORY:
        raise MemoryError(text)
    raise Error(text)


# ----------------------------------------------------------------- what callers give

def _flat(values: Any, code: str, what: str) -> Tuple[Any, Tuple[int, ...]]:
    """values as whole numbers one behind the other, and their shape; code: int32 "i", bytes "B" or uint16 "H". The same with
    numpy and without it."""
    if isinstance(values, str) or not hasattr(values, "__iter__"):
        raise TypeError("%s: an array of whole numbers is wanted" % what)
    if numpy is not None and not isinstance(values, (bytes, bytearray)):
        numbers, shape = _flat_numpy(values, code, what)
    else:
        try:
            view = memoryview(values)
        except TypeError:
            numbers, shape = _flat_sequence(values, code, what)
        else:
            if view.format not in ("b", "B", "h", "H", "i", "I", "l", "L", "q", "Q", "?"):
                raise TypeError("%s: whole numbers are wanted" % what)
            numbers = _numbers(array.array(view.format if view.format != "?" else "B", view.tobytes()), code, what)
            shape = tuple(view.shape or ())
    if not shape:
        raise TypeError("%s: an array of whole numbers is wanted" % what)
    if not _product(shape):
        raise ValueError("%s: there are no values" % what)
    return numbers, shape


def _flat_numpy(values: Any, code: str, what: str) -> Tuple[Any, Tuple[int, ...]]:
    if numpy.ma.isMaskedArray(values):
        raise TypeError("%s: a masked array; give its data, and its mask as free" % what)
    known = hasattr(values, "__array__") or isinstance(values, (list, tuple, array.array, memoryview))
    given = numpy.asarray(values if known else list(values))
    if given.size and given.dtype.kind not in "iub":
        raise TypeError("%s: whole numbers are wanted, not %s" % (what, given.dtype))
    wanted = numpy.dtype({"i": numpy.int32, "B": numpy.uint8, "H": numpy.uint16}[code])
    if code == "B":
        given = given != 0
    elif given.size and not (numpy.iinfo(wanted).min <= int(given.min()) and int(given.max()) <= numpy.iinfo(wanted).max):
        raise ValueError("%s: a number is too large" % what)
    return numpy.ascontiguousarray(given, dtype=wanted), given.shape


def _flat_sequence(values: Any, code: str, what: str) -> Tuple[Any, Tuple[int, ...]]:
    rows = (list, tuple, array.array, range, bytes, bytearray)
    shape: List[int] = []
    level = list(values)
    while True:
        shape.append(len(level) if not shape else len(level) // _product(shape))
        if not level or not isinstance(level[0], rows):
            break
        width = len(level[0])
        if any(not isinstance(row, rows) or len(row) != width for row in level):
            raise ValueError("%s: rows of different lengths" % what)
        level = [one for row in level for one in row]
    return _numbers(level, code, what), tuple(shape)


def _numbers(numbers: Any, code: str, what: str) -> "array.array[int]":
    try:
        whole = [operator.index(number) for number in numbers]
    except TypeError:
        raise TypeError("%s: whole numbers are wanted" % what) from None
    try:
        return array.array(code, [number != 0 for number in whole] if code == "B" else whole)
    except OverflowError:
        raise ValueError("%s: a number is too large" % what) from None


def _product(shape: Sequence[int]) -> int:
    product = 1
    for length in shape:
        product *= length
    return product


def _address(numbers: Any) -> int:
    return numbers.ctypes.data if numpy is not None and isinstance(numbers, numpy.ndarray) else numbers.buffer_info()[0]


def _line(one: Any) -> str:
    """A line of sd_data_input.sets: None is any value."""
    if isinstance(one, str):
        raise TypeError("sets: a set of whole numbers is wanted, not a text")
    return "*" if one is None else ",".join(str(operator.index(value)) for value in sorted(one))


def _sets(sets: Any, which: Any, shape: Tuple[int, ...]) -> Tuple[Any, bytes]:
    """The number of each slot's set, and the sets as text."""
    if which is None:  # a set for each slot
        lines = [_line(one) for one in sets]
        kinds = list(dict.fromkeys(lines))
        place = {line: number for number, line in enumerate(kinds)}
        numbers: Any = array.array("H", (place[line] for line in lines)) if len(kinds) <= 65535 else None
        if numbers is None:
            raise ValueError("sets: more than 65535 different ones")
        if len(lines) != _product(shape):
            raise ValueError("sets: %d for %d slots" % (len(lines), _product(shape)))
        return numbers, ("\n".join(kinds) + "\n").encode()
    numbers, own = _flat(which, "H", "which")
    if own != shape:
        raise ValueError("which: shape %s, where the values have %s" % (own, shape))
    return numbers, ("\n".join(_line(one) for one in sets) + "\n").encode()


def compress(values: Any, *, free: Any = None, sets: Any = None, which: Any = None, low: Any = None, high: Any = None,
             codec: str = "repair", settings: Optional[str] = None, dtype: Optional[str] = None) -> "Compressed":
    """Code an array of whole numbers (lists, bytes, arrays of numpy or of the module array, anything with a buffer), of
    any shape, within -32768..32767 or 0..65535. What is free is said in one of these ways:

    free: a mask of the same shape; where it is true the slot may hold any value that occurs;
    sets: for each slot, in the order of the shape, the values that it may hold, None: any; or with `which`, an array of
        numbers of the same shape, only the sets that these count from 0;
    low, high: the least and the largest value of each slot.

    codec: a name of codecs(), or "best", which tries all of them with many settings and takes far longer;
    settings: "key=value,...", as `subdef reformat --set help` lists them; dtype: "uint8", "int8", "uint16", "int16".
    Every slot is decoded and compared before the result is given. ValueError, TypeError: the data or a setting are
    not as they must be, as the message says; MemoryError."""
    numbers, shape = _flat(values, "i", "values")
    if sum(one is not None for one in (free, sets)) + (low is not None or high is not None) > 1:
        raise ValueError("one of free, sets, and low or high")
    if which is not None and sets is None:
        raise ValueError("which: numbers of sets, and no sets")
    for name, text in (("codec", codec), ("settings", settings or "")):
        if not isinstance(text, str) or "\0" in text:
            raise ValueError("%s: a text is wanted" % name)
    if dtype is not None and dtype not in _TYPES[1:]:
        raise ValueError("dtype: one of %s" % ", ".join(_TYPES[1:]))
    dims = array.array("I", shape)
    given = _Input(value=_address(numbers), n=_product(shape), dim=_address(dims), ndims=len(shape),
                   type=_TYPES.index(dtype) if dtype else 0)
    keep = [numbers, dims]  # until the call is over
    for name, what, code in (("mask", free, "B"), ("low", low, "i"), ("high", high, "i")):
        if what is not None:
            more, own = _flat(what, code, "free" if name == "mask" else name)
            if own != shape:
                raise ValueError("%s: shape %s, where the values have %s" % (name, own, shape))
            keep.append(more)
            setattr(given, name, _address(more))
    if sets is not None:
        more, text = _sets(sets, which, shape)
        keep.append(more)
        given.set, given.sets = _address(more), text
    data, coded, message = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.create_string_buffer(_ROOM)
    status = _lib.sd_data_new(ctypes.byref(given), ctypes.byref(data), message, _ROOM)
    if status != _OK:
        _raise(status, message)
    try:
        status = _lib.sd_coded_encode(data, None if codec == "best" else codec.encode(),
                                      settings.encode() if settings else None, ctypes.byref(coded), message, _ROOM)
    finally:
        _lib.sd_data_free(data)
    if status != _OK:
        _raise(status, message)
    return Compressed._of(coded, None)


def open_compressed(source: Union[_Path, bytes, bytearray, memoryview]) -> "Compressed":
    """The array of a file NAME.sda, as Compressed.save or `subdef reformat` writes it, or of its bytes."""
    if isinstance(source, (bytes, bytearray, memoryview)):
        image = bytes(source)
    else:
        with open(os.fspath(source), "rb") as file:
            image = file.read()
    coded, message = ctypes.c_void_p(), ctypes.create_string_buffer(_ROOM)
    status = _lib.sd_coded_open(image, len(image), 0, ctypes.byref(coded), message, _ROOM)
    if status != _OK:
        _raise(status, message)
    return Compressed._of(coded, image)


def codecs() -> List[Tuple[str, str]]:
    """Names of the codecs of this build, and what each is."""
    out, name = [], _lib.sd_coded_codec(0)
    while name:
        out.append((name.decode(), _lib.sd_coded_codec_text(name).decode()))
        name = _lib.sd_coded_codec(len(out))
    return out


class Compressed:
    """A coded array: read-only, any slot at once. May be read by several threads."""

    def __init__(self) -> None:
        raise TypeError("compress() and open_compressed() make these")

    @classmethod
    def _of(cls, coded: ctypes.c_void_p, image: Optional[bytes]) -> "Compressed":
        self = cls.__new__(cls)
        self._coded, self._image = coded, image  # the library reads the image as long as it is open
        self._close = weakref.finalize(self, _close, coded, image)
        self._info = _Info()
        _lib.sd_coded_describe(coded, ctypes.byref(self._info))
        return self

    @property
    def shape(self) -> Tuple[int, ...]:
        return tuple(self._info.dim[:self._info.ndims]) or (self._info.slots,)

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        """Slots."""
        return self._info.slots

    @property
    def dtype(self) -> Any:
        """The type of the values: a numpy.dtype, or its name without numpy."""
        name = _TYPES[self._info.type]
        return numpy.dtype(name) if numpy is not None else name

    @property
    def nbytes(self) -> int:
        """All bytes that save() writes."""
        return self._info.bytes

    @property
    def codec(self) -> str:
        return self._info.codec.decode()

    @property
    def settings(self) -> str:
        """All settings; "" of what was opened, since files do not keep them."""
        return self._info.settings.decode()

    def __copy__(self) -> "Compressed":
        return self  # read-only

    def __deepcopy__(self, memo: Any) -> "Compressed":
        return self

    def __reduce__(self) -> Any:
        return open_compressed, (self.to_bytes(),)

    def __repr__(self) -> str:
        return "<subdef.Compressed %s %s %s, %d bytes>" % (self.shape, _TYPES[self._info.type], self.codec, self.nbytes)

    def to_bytes(self) -> bytes:
        length = ctypes.c_size_t()
        return ctypes.string_at(_lib.sd_coded_bytes(self._coded, ctypes.byref(length)), length.value)

    def save(self, path: _Path) -> None:
        """Write NAME.sda, which the commands of subdef read, too. A file that is there is replaced only when the new one
        is complete."""
        path = os.fsdecode(path)
        part = "%s.%d.tmp" % (path, os.getpid())
        try:
            with open(part, "wb") as file:
                file.write(self.to_bytes())
                file.flush()
                os.fsync(file.fileno())
            os.replace(part, path)
        except BaseException:
            if os.path.exists(part):
                os.unlink(part)
            raise

    def read(self, first: int, count: int) -> Any:
        """The slots first .. first + count - 1 in the order of the shape, the last dimension fastest: an array of numpy
        where that is there, else of the module array."""
        if first < 0 or count < 0 or first + count > self.size:
            raise IndexError("slots %d to %d of %d" % (first, first + count - 1, self.size))
        code = _CODES[self._info.type]
        out = (ctypes.c_int32 * count)()
        message = ctypes.create_string_buffer(_ROOM)
        status = _lib.sd_coded_read(self._coded, first, count, out, message, _ROOM)
        if status != _OK:
            _raise(status, message)
        if numpy is not None:
            return numpy.frombuffer(out, dtype=numpy.int32).astype(self.dtype) if count else numpy.empty(0, self.dtype)
        return array.array(code, out)

    def _get(self, slot: int) -> int:
        value = ctypes.c_int32()
        status = _lib.sd_coded_get(self._coded, slot, ctypes.byref(value))
        if status != _OK:
            _raise(status, ctypes.create_string_buffer(_ROOM))
        return value.value

    def _place(self, index: int, axis: int) -> int:
        length = self.shape[axis]
        place = index + length if index < 0 else index
        if not 0 <= place < length:
            raise IndexError("index %d of %d" % (index, length))
        return place

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, key: Any) -> Any:
        """[i]: a value, or with more dimensions what stands in that row; [i, j, ...]: a value; [a:b:c]: slots, or rows.
        Of a slice everything from its first row to its last one is decoded."""
        keys = key if isinstance(key, tuple) else (key,)
        if len(keys) > self.ndim:
            raise IndexError("%d indexes for %d dimensions" % (len(keys), self.ndim))
        slot, inner = 0, self.size
        for axis, one in enumerate(keys):
            inner //= self.shape[axis]
            if isinstance(one, slice):
                return self._rows(one, axis, slot, inner, keys[axis + 1:])
            if isinstance(one, float) or not hasattr(one, "__index__"):
                raise TypeError("an index is a whole number or a slice")
            slot += self._place(one.__index__(), axis) * inner
        if len(keys) == self.ndim:
            return self._get(slot)
        return self._shaped(self.read(slot, inner), self.shape[len(keys):])

    def _rows(self, rows: slice, axis: int, slot: int, inner: int, rest: Tuple[Any, ...]) -> Any:
        places = range(*rows.indices(self.shape[axis]))
        if rest and numpy is None:
            raise TypeError("indexes behind a slice need numpy")
        first = min(places[0], places[-1]) if places else 0
        last = max(places[0], places[-1]) if places else -1
        out = self.read(slot + first * inner, (last - first + 1) * inner)
        if numpy is not None:
            out = out.reshape((last - first + 1,) + self.shape[axis + 1:])[::places.step]
            return out[(slice(None),) + rest] if rest else out
        if places.step == 1:
            return out
        if inner == 1:
            return out[::places.step]
        stepped = array.array(_CODES[self._info.type])
        for place in places:
            stepped.extend(out[(place - first) * inner:(place - first + 1) * inner])
        return stepped

    @staticmethod
    def _shaped(out: Any, shape: Tuple[int, ...]) -> Any:
        return out.reshape(shape) if numpy is not None else out

    def __iter__(self) -> Iterator[Any]:
        """Values of one dimension, rows of more."""
        inner = self.size // self.shape[0]
        for first in range(0, self.shape[0], max(1, 65536 // inner)):
            count = min(max(1, 65536 // inner), self.shape[0] - first)
            part = self.read(first * inner, count * inner)
            for k in range(count):
                yield int(part[k]) if self.ndim == 1 else self._shaped(part[k * inner:(k + 1) * inner], self.shape[1:])

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        out = self.read(0, self.size).reshape(self.shape)
        return out if dtype is None else out.astype(dtype)

    def tolist(self) -> List[Any]:
        """All values, as lists of lists for more dimensions."""
        level: List[Any] = list(self.read(0, self.size).tolist())
        for length in reversed(self.shape[1:]):
            level = [level[i:i + length] for i in range(0, len(level), length)]
        return level


def _close(coded: ctypes.c_void_p, image: Optional[bytes]) -> None:
    del image
    _lib.sd_coded_close(coded)
