"""Rows of the stores that `subdef sweep -o OUT.db` writes."""

import contextlib
import os
import sqlite3
import urllib.parse
from typing import Any, Dict, List, Union

_Path = Union[str, "os.PathLike[str]"]
_RUN = ("title", "version", "commit", "compiler", "cpu", "host", "command")


def sweep_rows(path: _Path) -> List[Dict[str, Any]]:
    """All cells of a store, a dict each: what names the cell (table, metric, codec, settings, order, side, ...), what was
    measured (bytes, encode_s in seconds, get_ns in nanoseconds, ...; None: not measured), and of its run those
    of `run_title`, `run_version`, `run_commit`, `run_compiler`, `run_cpu`, `run_host`, `run_command`. The names
    are those of the CSV files of a report (experiments/README.md). FileNotFoundError: no such file; ValueError: it
    is no store. The store is not changed, and a sweep that writes it may run."""
    path = os.fspath(path)
    if not os.path.exists(path):
        raise FileNotFoundError("%s: no such store" % path)
    run = ", ".join('run."%s" AS run_%s' % (name, name) for name in _RUN)
    uri = "file:%s?mode=ro" % urllib.parse.quote(os.path.abspath(path))
    try:
        with contextlib.closing(sqlite3.connect(uri, uri=True)) as store:
            store.row_factory = sqlite3.Row
            rows = store.execute("SELECT cell.*, %s FROM cell JOIN run ON run.id = cell.run ORDER BY cell.id" % run)
            return [{name: row[name] for name in row.keys() if name not in ("key", "run")} for row in rows]
    except sqlite3.Error as error:
        raise ValueError("%s: not a store of sweeps: %s" % (path, error)) from error


def sweep_frame(path: _Path) -> Any:
    """The same as a pandas.DataFrame. ImportError: pandas is not there."""
    import pandas
    return pandas.DataFrame(sweep_rows(path))
