"""stdout and stderr of session code: streamed to the page as they are written."""

from __future__ import annotations

import codecs
import io
import sys
from collections.abc import Buffer
from contextlib import suppress
from typing import Any, override

from vitrine._host import Host


class OutputStream(io.TextIOBase):
    """A text stream whose every write goes to the page at once."""

    encoding = "utf-8"
    errors = "replace"
    mode = "w"
    line_buffering = False
    write_through = True

    def __init__(self, host: Host, name: str, descriptor: int) -> None:
        super().__init__()
        self._host = host
        self._name = name
        self._descriptor = descriptor
        self.buffer = _ByteStream(self)

    @property
    def name(self) -> str:
        return f"<{self._name}>"

    @override
    def writable(self) -> bool:
        return True

    @override
    def fileno(self) -> int:
        """What is written there by ``os.write`` reaches the page, too."""
        return self._descriptor

    @override
    def detach(self) -> Any:
        """The bytes below; this stream stays usable, since the page reads both alike."""
        return self.buffer

    def reconfigure(
        self,
        *,
        encoding: str | None = None,
        errors: str | None = None,
        newline: str | None = None,
        line_buffering: bool | None = None,
        write_through: bool | None = None,
    ) -> None:
        """Take what a script begins with: the page gets UTF-8 at once, whatever it asks for.

        Raises:
            LookupError: There is no such encoding.
        """
        if encoding is not None:
            codecs.lookup(encoding)

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


def read_line(prompt: object) -> str:
    """``input()`` as CPython has it where ``sys.stdin`` is no terminal."""
    sys.stdout.write(str(prompt))
    sys.stdout.flush()
    line = sys.stdin.readline()
    if not line:
        raise EOFError("EOF when reading a line")
    return line.removesuffix("\n")


def flush(*streams: Any) -> None:
    """Have streams hand on what they hold back."""
    for stream in streams:
        # The code may have put anything in their place, a closed file for instance.
        with suppress(Exception):
            stream.flush()
