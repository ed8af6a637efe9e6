"""The value of a run, ready for the page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from vitrine import _codec
from vitrine._json_text import write_json

_SHOWN_OF_A_CUT_VALUE = 1000
# Characters. The page keeps no more of it.
_SENT_OF_A_CUT_VALUE = 16_000_000


@dataclass(frozen=True)
class EncodedResult:
    """A value ready for the page: wire text with its bytes, and what a person reads of it."""

    wire: list[Any] | None
    full_text: tuple[str, int] | None
    """The beginning of the text of a value that was cut, and how many characters were left out."""
    shown: str | None


NOTHING = EncodedResult(None, None, None)


def encode_capped(value: object, limit: int) -> EncodedResult:
    """Encode ``value``; a larger one than ``limit`` bytes is cut, with its text beside it."""
    shown = None if value is None else _codec.safe_repr(value)
    text, buffers = _codec.encode(value)
    size = len(text) + sum(memoryview(part).nbytes for part in buffers)
    if size <= limit:
        return EncodedResult([text, buffers], None, shown)
    # Of a class of its own, what it says of itself may be anything.
    whole = str.__str__(value) if isinstance(value, str) else repr(value)
    head = whole[:_SHOWN_OF_A_CUT_VALUE]
    cut = f"{head}… [VALUE TRUNCATED: {size} bytes]"
    wire = write_json({"$opaque": [cut, type(value).__name__]})
    sent = whole[:_SENT_OF_A_CUT_VALUE]
    return EncodedResult([wire, []], (sent, len(whole) - len(sent)), shown)


__all__ = ["NOTHING", "EncodedResult", "encode_capped"]
