"""What is installed in a folder of packages.

Not ``importlib.metadata``: its import takes longer than a package of usual size, and it reads
METADATA where the names of folders say the same.
"""

from __future__ import annotations

import csv
import os
from pathlib import Path

from vitrine._package_names import canonical_name

# What the interpreter itself has in site-packages. What replaced it would run in the next one,
# unasked.
_OWN = frozenset({"vitrine", "pyodide", "_pyodide"})


def installed_version(name: str, site_packages: Path) -> str | None:
    """The version of an installed package; None when it is not installed."""
    folder = _metadata_of(name, site_packages)
    return None if folder is None else folder.removesuffix(".dist-info").rpartition("-")[2]


def remove_installed(name: str, site_packages: Path) -> None:
    """Remove the files of a package, as its RECORD lists them."""
    folder = _metadata_of(name, site_packages)
    if folder is None:
        return
    root = site_packages.resolve()
    record = site_packages / folder / "RECORD"
    text = record.read_text("utf-8", "replace") if record.is_file() else ""
    for row in csv.reader(text.splitlines()):
        path = (root / row[0]).resolve() if row else root
        if path.is_relative_to(root) and not is_own(path.relative_to(root).as_posix()):
            _remove_file(path)
    # Of an older package RECORD may not list itself.
    for path in (site_packages / folder).glob("*"):
        _remove_file(path)


def is_own(path: str) -> bool:
    """Whether a file in site-packages is of the interpreter."""
    return path.partition("/")[0].partition(".")[0] in _OWN


def _remove_file(path: Path) -> None:
    if path.is_file() or path.is_symlink():
        path.unlink()


def _metadata_of(name: str, site_packages: Path) -> str | None:
    try:
        entries = os.listdir(site_packages)
    except OSError:
        return None
    for entry in entries:
        package = entry.removesuffix(".dist-info")
        is_named = package != entry and canonical_name(package.rpartition("-")[0]) == name
        # What was removed leaves an empty folder.
        if is_named and os.path.exists(site_packages / entry / "METADATA"):
            return entry
    return None


__all__ = ["installed_version", "is_own", "remove_installed"]
