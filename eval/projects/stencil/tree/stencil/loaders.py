"""Where templates come from."""

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol


class Loader(Protocol):
    """Finds the source of a template by its name."""

    def load(self, name: str) -> str | None:
        """Return the source, or ``None`` if there is no such template."""
        ...


class DictLoader:
    """Templates that are held in a dict."""

    def __init__(self, sources: Mapping[str, str]) -> None:
        self._sources = sources

    def load(self, name: str) -> str | None:
        return self._sources.get(name)


class FolderLoader:
    """Templates that are files of a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()

    def load(self, name: str) -> str | None:
        path = (self._folder / name).resolve()
        if not path.is_relative_to(self._folder) or not path.is_file():
            return None
        return path.read_text(encoding="utf-8")
