"""Puts the files of packages where Python finds them."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Mapping

from vitrine._archives import Archive
from vitrine._errors import DepsError

type Placer = Callable[[str, bytes, str], str | None]
"""Puts files of an archive under a folder, each of which is unpacked when it is read first.

Called with the folder, the archive and JSON of ``[path, begin, packed, size, checksum,
is_deflated]`` of each. Tells what went wrong, with nothing of them left.
"""

_placer: Placer | None = None


def place_by(placer: Placer) -> None:
    """Leave files packed until they are read, from now on."""
    global _placer
    _placer = placer


def can_leave_packed() -> bool:
    """Whether files can be put in their place without unpacking them."""
    return _placer is not None


def place(
    filename: str,
    root: str,
    files: Mapping[str, bytes],
    packed: tuple[Archive, Mapping[str, str]] | None = None,
) -> None:
    """Put all files under a folder, or none.

    Args:
        filename: Of the package, for messages.
        root: The folder.
        files: By path.
        packed: An archive, and its files by path, that are left packed. Only where
            ``can_leave_packed``.

    Raises:
        DepsError: One could not be written. None of them stays.
    """
    written: list[str] = []
    try:
        _write_all(root, files, written)
        if packed is not None and packed[1]:
            _leave_packed(root, *packed)
    except OSError as error:
        for name in written:
            # One that could not be written may be a folder.
            with contextlib.suppress(OSError):
                os.unlink(name)
        raise DepsError(f"{filename} could not be unpacked: {error}") from None


def _write_all(root: str, files: Mapping[str, bytes], written: list[str]) -> None:
    folders: set[str] = set()
    # Plain calls of the system: for a package of many small files less than half the time.
    for path, data in files.items():
        name = os.path.join(root, path)
        folder = os.path.dirname(name)
        if folder not in folders:
            os.makedirs(folder, exist_ok=True)
            folders.add(folder)
        written.append(name)
        _write(name, data)


def _write(name: str, data: bytes) -> None:
    file = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(file, rest) :]
    finally:
        os.close(file)


def _leave_packed(root: str, archive: Archive, names: Mapping[str, str]) -> None:
    if _placer is None:
        raise OSError("nothing here reads packed files")
    entries = ((path, archive.entries[name]) for path, name in names.items())
    rows = [
        [path, entry.begin, entry.packed, entry.size, entry.checksum, entry.is_deflated]
        for path, entry in entries
    ]
    problem = _placer(root, archive.content, json.dumps(rows))
    if problem is not None:
        raise OSError(problem)


__all__ = ["can_leave_packed", "place", "place_by"]
