"""A base snapshot: what it holds, and what an interpreter made from it has to do.

Beside Python it holds this package and, of the standard library, what
agent-written code imports most.
"""

from __future__ import annotations

import gc
import importlib
import importlib.machinery
import random
import sys
import time

__all__ = ["after_restore", "before_snapshot"]

_HELD = (
    "base64",
    "collections",
    "csv",
    "dataclasses",
    "datetime",
    "decimal",
    "enum",
    "functools",
    "hashlib",
    "html",
    "io",
    "itertools",
    "json",
    "math",
    "operator",
    "pathlib",
    "re",
    "statistics",
    "string",
    "textwrap",
    "traceback",
    "typing",
    "urllib.parse",
    "zoneinfo",
    "vitrine._check",
    "vitrine._completion",
    "vitrine._runner",
    "vitrine._package_install",
    "vitrine._wheels",
)

_taken_at = 0.0


def before_snapshot() -> None:
    """Call last before the snapshot is taken."""
    global _taken_at
    for name in _HELD:
        importlib.import_module(name)
    gc.collect()
    # What is there for good needs no looking through whenever a session collects.
    gc.freeze()
    _taken_at = time.monotonic()


def after_restore() -> float:
    """Call first in an interpreter that goes on from the snapshot.

    Returns:
        The seconds of ``time.monotonic()`` when the snapshot was taken. The clock must not
        fall behind it.
    """
    # Every interpreter made from the snapshot would draw the same numbers.
    random.seed()
    _refresh_time_zone()
    # They remember folders of a file system that is no more.
    for path, finder in list(sys.path_importer_cache.items()):
        if isinstance(finder, importlib.machinery.FileFinder):
            del sys.path_importer_cache[path]
    return _taken_at


def _refresh_time_zone() -> None:
    """Set the constants of ``time``, which are those of where the snapshot was made."""
    year = time.localtime().tm_year
    half_years = [
        time.localtime(time.mktime((year, month, 1, 0, 0, 0, 0, 0, -1))) for month in (1, 7)
    ]
    # Summer is in January south of the equator.
    standard, summer = sorted(half_years, key=lambda moment: moment.tm_gmtoff)
    zone = {
        "timezone": -standard.tm_gmtoff,
        "altzone": -summer.tm_gmtoff,
        "daylight": int(standard.tm_gmtoff != summer.tm_gmtoff),
        "tzname": (standard.tm_zone, summer.tm_zone),
    }
    for name, value in zone.items():
        setattr(time, name, value)
