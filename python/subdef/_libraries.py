"""Where the shared libraries are."""

import ctypes
import glob
import os
from typing import Any, Callable, Optional

_HERE = os.path.dirname(os.path.abspath(__file__))


def _load_bundled() -> None:
    """What the libraries of a wheel need besides the C library, so that the system need not have it. One that
    needs another one fails until that is loaded."""
    waiting = glob.glob(os.path.join(_HERE, "lib", "needed", "*"))
    while waiting:
        failed = []
        for path in waiting:
            try:
                ctypes.CDLL(path)
            except OSError:
                failed.append(path)
        if len(failed) == len(waiting):
            return  # the library that needs these says which one is missing
        waiting = failed


def _candidates(soname: str):
    yield os.path.join(_HERE, "lib", soname)  # of a wheel
    folder = _HERE
    for _ in range(5):  # PREFIX/lib/pythonX.Y/site-packages/subdef -> PREFIX/lib
        folder = os.path.dirname(folder)
        yield os.path.join(folder, soname)


def _load(name: str) -> ctypes.CDLL:
    soname = "lib%s.so.0" % name
    named = os.environ.get(name.upper().replace("-", "_") + "_LIBRARY")
    if not named and os.path.isdir(os.path.join(_HERE, "lib")):
        _load_bundled()
    path = named or next((path for path in _candidates(soname) if os.path.exists(path)), soname)
    return ctypes.CDLL(path)


class Library:
    """A library ("subdef", "subdef-probe"), loaded when a function of it is first asked for, so that who uses one of
    them need not have the other. OSError: it is nowhere. declare: gives its functions their types."""

    def __init__(self, name: str, declare: Callable[[ctypes.CDLL], None]) -> None:
        self._name, self._declare, self._lib = name, declare, None  # type: str, Any, Optional[ctypes.CDLL]

    def __getattr__(self, function: str) -> Any:
        if self._lib is None:
            lib = _load(self._name)
            self._declare(lib)
            self._lib = lib
        found = getattr(self._lib, function)
        setattr(self, function, found)
        return found
