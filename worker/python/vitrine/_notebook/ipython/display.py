"""``IPython.display``: objects that say what they look like, and how to show them."""

from __future__ import annotations

import base64
import builtins
import json
from pathlib import Path
from typing import Any, override


class DisplayObject:
    """Something with a look of its own.

    Args:
        data: The text, or the value.
        filename: A file of the workspace to read it from.
        url: Refused: code and what it shows load nothing from elsewhere.
    """

    def __init__(
        self, data: Any = None, url: str | None = None, filename: str | None = None, **_: object
    ) -> None:
        if url is not None:
            raise ValueError(
                f"{type(self).__name__}(url=…) would load from elsewhere, and nothing that code "
                "shows may do that. Give it the data, or the name of a file of the workspace."
            )
        self.data = self._read(Path(filename)) if filename is not None else data

    def _read(self, path: Path) -> Any:
        return path.read_text()

    @override
    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"


class HTML(DisplayObject):
    """HTML. It is shown without scripts, and loads nothing."""

    def _repr_html_(self) -> str:
        return str(self.data)


class Markdown(DisplayObject):
    """Markdown."""

    def _repr_markdown_(self) -> str:
        return str(self.data)


class Latex(DisplayObject):
    """A formula, with its dollar signs."""

    def _repr_latex_(self) -> str:
        return str(self.data)


class Math(Latex):
    """A formula without dollar signs."""

    @override
    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.data}$"


class SVG(DisplayObject):
    """A drawing."""

    def _repr_svg_(self) -> str:
        return str(self.data)


class JSON(DisplayObject):
    """A value, shown as a tree."""

    def _repr_json_(self) -> str:
        data = json.loads(self.data) if isinstance(self.data, str) else self.data
        return json.dumps(data, default=repr)


class Pretty(DisplayObject):
    """Plain text."""

    @override
    def __repr__(self) -> str:
        return str(self.data)


class Code(Pretty):
    """Source, as plain text."""


_PNG, _JPEG = b"\x89PNG", b"\xff\xd8"


class Image(DisplayObject):
    """A PNG or JPEG picture: its bytes, their Base64, or a file of the workspace."""

    def __init__(
        self,
        data: Any = None,
        url: str | None = None,
        filename: str | None = None,
        **options: object,
    ) -> None:
        is_path = isinstance(data, (str, Path)) and Path(data).is_file()
        path = str(data) if is_path else filename
        super().__init__(None if is_path else data, url, path, **options)
        if isinstance(self.data, str):
            self.data = base64.b64decode(self.data)
        if type(self.data) is not bytes or not self.data.startswith((_PNG, _JPEG)):
            raise ValueError("Image() takes the bytes of a PNG or JPEG picture, or its file.")

    @override
    def _read(self, path: Path) -> bytes:
        return path.read_bytes()

    def _repr_png_(self) -> bytes | None:
        return self.data if self.data.startswith(_PNG) else None

    def _repr_jpeg_(self) -> bytes | None:
        return self.data if self.data.startswith(_JPEG) else None


def display(*objects: object, **_: object) -> None:
    """Show each object in its richest form."""
    builtins.display(*objects)  # pyright: ignore


def clear_output(wait: bool = False) -> None:
    """Do nothing: what was shown stays."""


__all__ = [
    "HTML",
    "JSON",
    "SVG",
    "Code",
    "DisplayObject",
    "Image",
    "Latex",
    "Markdown",
    "Math",
    "Pretty",
    "clear_output",
    "display",
]
