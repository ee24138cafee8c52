"""Arrays of whole numbers with up to 32 bits, as bytes one above the other.

A codec takes 4096 different values at most. A wider number becomes its distance to the least one of the array, and that becomes bytes; each
byte of all slots is an array of its own (a plane), coded by itself, the highest first. Bounds go into the planes like this: bytes in which the
least and the greatest value of a slot agree are fixed. Where they first differ, any byte strictly between them may stand, and what is below it
is free; if there is none between, the byte of the slot's own value stands there, and the bounds go on below it. So every value that can come
out lies within the bounds, although not every one within them can come out.
"""

import io
import json
import os
import zipfile
from typing import Any, List, Optional, Tuple, Union

from .arrays import Compressed, Error, _product, compress, open_compressed

_LEAST, _MOST = -2 ** 31, 2 ** 32 - 1

try:
    import numpy
except ImportError:
    numpy = None  # type: ignore


def _list(values: Any, what: str) -> Tuple[List[int], Tuple[int, ...]]:
    """Whole numbers one behind the other, and the shape."""
    if numpy is not None:
        given = numpy.asarray(values)
        if given.dtype.kind not in "iub" or not given.shape:
            raise TypeError("%s: an array of whole numbers is wanted" % what)
        return given.ravel().tolist(), given.shape
    shape: List[int] = []
    level = list(values)
    while level and isinstance(level[0], (list, tuple)):
        shape.append(len(level) if not shape else len(level) // _product(shape))
        if any(len(row) != len(level[0]) for row in level):
            raise ValueError("%s: rows of different lengths" % what)
        level = [one for row in level for one in row]
    shape.append(len(level) if not shape else len(level) // _product(shape))
    if any(not hasattr(one, "__index__") for one in level):
        raise TypeError("%s: an array of whole numbers is wanted" % what)
    return level, tuple(shape)


def _split(value: int, low: int, high: int, planes: int) -> List[Tuple[int, int, int]]:
    """For each plane, the highest first, a byte and the least and the greatest that may stand there."""
    out, free = [], False
    for plane in range(planes - 1, -1, -1):
        shift, below = 8 * plane, (1 << 8 * plane) - 1
        own, least, most = (value >> shift) & 255, (low >> shift) & 255, (high >> shift) & 255
        if free:
            out.append((own, 0, 255))
        elif least == most or plane == 0:
            out.append((own, least, most))
        elif most - least > 1:
            out.append((min(max(own, least + 1), most - 1), least + 1, most - 1))
            free = True
        else:
            out.append((own, own, own))
            if own == least:
                high = low | below
            else:
                low = high & ~below
    return out


class Wide:
    """A coded array of wide numbers: read-only, any slot at once."""

    def __init__(self, planes: List[Compressed], offset: int) -> None:
        self.planes, self.offset = planes, offset

    @property
    def shape(self) -> Tuple[int, ...]:
        return self.planes[0].shape

    @property
    def size(self) -> int:
        return self.planes[0].size

    @property
    def nbytes(self) -> int:
        """All bytes of the planes."""
        return sum(plane.nbytes for plane in self.planes)

    def __len__(self) -> int:
        return len(self.planes[0])

    def __repr__(self) -> str:
        return "<subdef.Wide %s, %d planes, %d bytes>" % (self.shape, len(self.planes), self.nbytes)

    def __getitem__(self, key: Any) -> Any:
        """As Compressed, in numbers of 64 bits of numpy, or lists without it."""
        return self._join([plane[key] for plane in self.planes])

    def _join(self, parts: List[Any]) -> Any:
        if isinstance(parts[0], int):
            return self.offset + sum(part << 8 * (len(parts) - 1 - k) for k, part in enumerate(parts))
        if numpy is not None:
            out = numpy.full(parts[0].shape, self.offset, numpy.int64)
            for k, part in enumerate(parts):
                out += part.astype(numpy.int64) << 8 * (len(parts) - 1 - k)
            return out
        return [self._join([int(byte) for byte in bytes_]) for bytes_ in zip(*parts)]

    def read(self, first: int, count: int) -> Any:
        """The slots first .. first + count - 1 in the order of the shape."""
        return self._join([plane.read(first, count) for plane in self.planes])

    def tolist(self) -> List[Any]:
        level: List[Any] = list(self.read(0, self.size))
        level = [int(one) for one in level]
        for length in reversed(self.shape[1:]):
            level = [level[i:i + length] for i in range(0, len(level), length)]
        return level

    def to_bytes(self) -> bytes:
        """A zip archive of the planes, NAME.sda each, and what they make together."""
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as archive:
            for name, data in [("wide.json", json.dumps({"offset": self.offset, "planes": len(self.planes)}).encode())] + [
                    ("plane%d.sda" % k, plane.to_bytes()) for k, plane in enumerate(self.planes)]:
                archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data)
        return out.getvalue()


def compress_wide(values: Any, *, free: Any = None, low: Any = None, high: Any = None, codec: str = "repair",
                  settings: Optional[str] = None) -> Wide:
    """Code an array of whole numbers from -2^31 to 2^32 - 1, of any shape. free: a mask, where it is true any number may come
    out; or low and high: the least and the greatest value of each slot. codec and settings as compress has them, for each
    plane. Every plane is compared when it is made. TypeError, ValueError, MemoryError."""
    own, shape = _list(values, "values")
    if not own:
        raise ValueError("values: there are none")
    if free is not None and (low is not None or high is not None):
        raise ValueError("one of free, and low or high")
    beside = {"low": own, "high": own}
    for name, given in (("low", low), ("high", high)):
        if given is not None:
            beside[name], as_shape = _list(given, name)
            if as_shape != shape:
                raise ValueError("%s: shape %s, where the values have %s" % (name, as_shape, shape))
    mask: List[int] = [0] * len(own)
    if free is not None:
        mask, as_shape = _list(free, "free")
        if as_shape != shape:
            raise ValueError("free: shape %s, where the values have %s" % (as_shape, shape))
    fixed = [slot for slot, is_free in enumerate(mask) if not is_free] or [0]
    offset, most = min(own[slot] for slot in fixed), max(own[slot] for slot in fixed)
    if offset < _LEAST or most > _MOST or most - offset > 2 ** 32 - 1:
        raise ValueError("values from %d to %d: 32 bits hold no more than -2^31 to 2^32 - 1" % (offset, most))
    planes = max(1, ((most - offset).bit_length() + 7) // 8)
    parts: List[List[Tuple[int, int, int]]] = []
    for slot, value in enumerate(own):
        if mask[slot]:
            parts.append([(0, 0, 255)] * planes)
            continue
        least, greatest = beside["low"][slot], beside["high"][slot]
        if not least <= value <= greatest:
            raise ValueError("slot %d: value %d is outside of its own bounds" % (slot, value))
        parts.append(_split(value - offset, max(least, offset) - offset, min(greatest, most) - offset, planes))
    coded = []
    for k in range(planes):
        column = [part[k] for part in parts]
        coded.append(compress(_shaped([one[0] for one in column], shape), low=_shaped([one[1] for one in column], shape),
                              high=_shaped([one[2] for one in column], shape), codec=codec, settings=settings, dtype="uint8"))
    return Wide(coded, offset)


def _shaped(flat: List[int], shape: Tuple[int, ...]) -> Any:
    if numpy is not None:
        return numpy.array(flat, numpy.int32).reshape(shape)
    level: List[Any] = flat
    for length in reversed(shape[1:]):
        level = [level[i:i + length] for i in range(0, len(level), length)]
    return level


def open_wide(source: Union[str, "os.PathLike[str]", bytes]) -> Wide:
    """What Wide.to_bytes made, from a file or from its bytes. subdef.Error: it is none, or damaged."""
    try:
        with zipfile.ZipFile(io.BytesIO(source) if isinstance(source, bytes) else source) as archive:
            about = json.loads(archive.read("wide.json"))
            if not isinstance(about, dict) or not 1 <= about["planes"] <= 4 or not isinstance(about["offset"], int):
                raise Error("no array of wide numbers")
            planes = [open_compressed(archive.read("plane%d.sda" % k)) for k in range(about["planes"])]
    except (zipfile.BadZipFile, KeyError, ValueError, TypeError) as error:
        raise Error("no array of wide numbers: %s" % error) from error
    if any(plane.shape != planes[0].shape for plane in planes):
        raise Error("planes of different shapes")
    return Wide(planes, about["offset"])
