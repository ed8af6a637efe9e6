"""Archives of packages (APPNOTE 4.3), read as strictly as wheels are written.

Not ``zipfile``: to import it, and to make an object of each file, takes longer than to unpack a
small wheel.
"""

from __future__ import annotations

import struct
import zlib
from typing import NamedTuple

from vitrine._errors import DepsError

_MAX_UNPACKED = 512 * 1024 * 1024

_STORED, _DEFLATED = 0, 8
_ENCRYPTED, _UTF8 = 0x1, 0x800

# The longest comment behind the end of the directory, with that end.
_LONGEST_END = 65_557
# More files than two bytes can count are counted in another end (zip64).
_MANY = 0xFFFF

# Flags, method, checksum, packed and unpacked size, lengths of name, extra and comment, place.
_DIRECTORY_ENTRY = struct.Struct("<4s4xHH4xIIIHHH8xI")
_LOCAL_HEADER = struct.Struct("<4s22xHH")


class Entry(NamedTuple):
    """A file of an archive."""

    is_deflated: bool
    checksum: int
    begin: int
    """Where its packed bytes begin."""
    packed: int
    size: int


class Archive:
    """The list of an archive's files, which agrees with itself.

    Args:
        filename: For messages.
        content: The whole archive.

    Raises:
        DepsError: It is damaged, holds a path out of its folder, or is packed in a way that
            wheels are not.
    """

    def __init__(self, filename: str, content: bytes) -> None:
        self.content = content
        self._filename = filename
        try:
            self.entries = self._read_directory()
        except (_DamageError, struct.error, ValueError, OverflowError) as error:
            raise self._unreadable(error) from None
        if sum(entry.size for entry in self.entries.values()) > _MAX_UNPACKED:
            raise DepsError(f"{filename} unpacks to more than {_MAX_UNPACKED} bytes.")

    def read(self, name: str) -> bytes:
        """Unpack a file.

        Raises:
            DepsError: It is not what the archive says of it.
        """
        entry = self.entries[name]
        data = self.content[entry.begin : entry.begin + entry.packed]
        try:
            if entry.is_deflated:
                # No more than it says: a small archive may unpack to anything.
                data = zlib.decompressobj(-zlib.MAX_WBITS).decompress(data, entry.size + 1)
        except zlib.error as error:
            raise self._unreadable(error) from None
        if len(data) != entry.size or zlib.crc32(data) != entry.checksum:
            raise self._unreadable(f"{name!r} is not what its checksum says")
        return data

    def _unreadable(self, why: object) -> DepsError:
        return DepsError(f"{self._filename} is not a readable archive: {why}")

    def _read_directory(self) -> dict[str, Entry]:
        content = self.content
        count, at = self._directory()
        entries: dict[str, Entry] = {}
        for _ in range(count):
            fields = _DIRECTORY_ENTRY.unpack_from(content, at)
            signature, flags, method, checksum, packed, size, *lengths, place = fields
            name_length, extra_length, comment_length = lengths
            if signature != b"PK\1\2":
                raise _DamageError("its directory is cut")
            at += _DIRECTORY_ENTRY.size
            raw = content[at : at + name_length]
            at += name_length + extra_length + comment_length
            name = raw.decode("utf-8" if flags & _UTF8 else "cp437")
            if name.endswith("/"):
                continue
            self._check(name, flags, method)
            begin = self._begin(raw, name, place)
            if begin + packed > len(content):
                raise _DamageError(f"{name!r} is cut")
            entries[name] = Entry(method == _DEFLATED, checksum, begin, packed, size)
        return entries

    def _directory(self) -> tuple[int, int]:
        content = self.content
        end = content.rfind(b"PK\5\6", max(0, len(content) - _LONGEST_END))
        if end < 0:
            raise _DamageError("it has no directory")
        count, place = struct.unpack_from("<10xH4xI", content, end)
        if count != _MANY or content[end - 20 : end - 16] != b"PK\6\7":
            return count, place
        (large,) = struct.unpack_from("<8xQ", content, end - 20)
        if content[large : large + 4] != b"PK\6\6":
            raise _DamageError("it has no directory")
        return struct.unpack_from("<32xQ8xQ", content, large)

    def _check(self, name: str, flags: int, method: int) -> None:
        # Without empty parts: what follows "x.data/purelib/" must be no path from the root.
        parts = name.split("/")
        if "" in parts or "." in parts or ".." in parts or not _FORBIDDEN.isdisjoint(name):
            raise DepsError(f"{self._filename} holds {name!r}, a path out of its folder.")
        if flags & _ENCRYPTED:
            raise _DamageError(f"{name!r} is encrypted")
        if method not in (_STORED, _DEFLATED):
            raise DepsError(f"{self._filename} is packed in a way that wheels are not.")

    def _begin(self, raw: bytes, name: str, place: int) -> int:
        signature, name_length, extra_length = _LOCAL_HEADER.unpack_from(self.content, place)
        if signature != b"PK\3\4":
            raise _DamageError(f"{name!r} has no header")
        begin = place + _LOCAL_HEADER.size
        if self.content[begin : begin + name_length] != raw:
            raise _DamageError(f"{name!r} has another name in its header")
        return begin + name_length + extra_length


class _DamageError(Exception):
    """What an archive says of itself cannot be."""


_FORBIDDEN = frozenset("\\\0:")

__all__ = ["Archive", "Entry"]
