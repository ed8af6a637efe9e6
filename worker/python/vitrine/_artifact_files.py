"""The directory behind ``artifacts.path``: artifacts as plain files.

The store on the page is where artifacts are kept. Session code that wants to
open files finds copies here, and what it writes here can be loaded; it is kept
beyond the interpreter only once it is registered.
"""

from __future__ import annotations

from json import loads
from pathlib import Path
from typing import Any

ARTIFACTS_PATH = "/artifacts"


type _State = tuple[int, int]
"""Time of modification and size."""


class ArtifactFiles:
    """Copies of artifacts as files, and files that are not artifacts yet."""

    def __init__(self, directory: str = ARTIFACTS_PATH) -> None:
        self._directory = Path(directory)
        # By name: the version in the store, and the file when it held that.
        self._copies: dict[str, tuple[str, _State]] = {}

    @property
    def in_use(self) -> bool:
        """Whether session code has asked for the directory."""
        return self._directory.is_dir()

    def open(self) -> str:
        """Make the directory, and say where it is."""
        self._directory.mkdir(parents=True, exist_ok=True)
        return str(self._directory)

    def has_copy(self, name: str, version: str) -> bool:
        """Whether the file is what the store has in that version."""
        copy = self._copies.get(name)
        return copy is not None and copy[0] == version

    def keep_copy(self, name: str, version: str, content: bytes) -> None:
        """Write what the store has, unless session code wrote that file itself."""
        path = self._inside(name)
        if path is None or self.has_own(name):
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        self._copies[name] = (version, _state(path))

    def has_own(self, name: str) -> bool:
        """Whether session code wrote a file of that name, or changed the copy."""
        path = self._inside(name)
        if path is None or not path.is_file():
            return False
        copy = self._copies.get(name)
        return copy is None or copy[1] != _state(path)

    def read(self, name: str) -> bytes:
        """The bytes of a file that ``has_own`` found."""
        path = self._inside(name)
        if path is None:
            raise FileNotFoundError(name)
        return path.read_bytes()

    def remove(self, name: str) -> None:
        """Remove the file, if there is one."""
        path = self._inside(name)
        if path is not None:
            path.unlink(missing_ok=True)
        self._copies.pop(name, None)

    def keep_only(self, names: set[str]) -> None:
        """Remove the copies of artifacts that are no more."""
        for name in set(self._copies) - names:
            if not self.has_own(name):
                self.remove(name)

    def _inside(self, name: str) -> Path | None:
        if not self.in_use or not name:
            return None
        directory = self._directory.resolve()
        path = (directory / name).resolve()
        return path if path != directory and path.is_relative_to(directory) else None


def _state(path: Path) -> _State:
    status = path.stat()
    return status.st_mtime_ns, status.st_size


def kind_of_file(name: str, content: bytes) -> tuple[str, str | bytes]:
    """How a file is stored and loaded: JSON by its name if it parses, else text, else bytes."""
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return "bytes", content
    if name.endswith(".json"):
        try:
            loads(text)
        except ValueError:
            return "text", text
        return "json", text
    return "text", text


def value_of(kind: str, data: Any) -> Any:
    """The Python value of what is stored."""
    if kind == "json":
        return loads(data)
    if kind == "text" and isinstance(data, bytes):
        return data.decode()
    return data


def bytes_of(data: str | bytes) -> bytes:
    """How stored data stands in a file."""
    return data.encode() if isinstance(data, str) else data
