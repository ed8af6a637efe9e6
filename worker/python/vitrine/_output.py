"""stdout and stderr of session code: streamed to the page as they are written."""

from __future__ import annotations

import codecs
import io
from collections.abc import Buffer
from typing import override

from vitrine._host import Host


class OutputStream(io.TextIOBase):
    """A text stream whose every write goes to the page at once."""

    encoding = "utf-8"
    errors = "replace"

    def __init__(self, host: Host, name: str) -> None:
        super().__init__()
        self._host = host
        self._name = name
        self.buffer = _ByteStream(self)

    @property
    def name(self) -> str:
        return f"<{self._name}>"

    @override
    def writable(self) -> bool:
        return True

    @override
    def write(self, text: str, /) -> int:
        if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        if text:
            # A lone surrogate has no UTF-8 form and would break the whole chunk.
            self._host.write(self._name, text.encode("utf-8", "replace").decode())
        return len(text)


class _ByteStream(io.RawIOBase):
    """``sys.stdout.buffer``: bytes are read as UTF-8, broken ones replaced."""

    def __init__(self, text: OutputStream) -> None:
        super().__init__()
        self._text = text
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    @override
    def writable(self) -> bool:
        return True

    @override
    def write(self, data: Buffer, /) -> int:
        chunk = bytes(data)
        self._text.write(self._decoder.decode(chunk))
        return len(chunk)
