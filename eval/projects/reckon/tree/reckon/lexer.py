"""From the text of a sheet to tokens."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from reckon.errors import ReckonError
from reckon.source import Source

Kind = Literal["number", "name", "sign", "newline", "end"]

TOKEN = re.compile(
    r"(?P<skip>[ \t\r]+|#[^\n]*)"
    r"|(?P<number>\d[\d_]*(?:\.\d+)?%?)"
    r"|(?P<name>[^\W\d]\w*)"
    r"|(?P<sign>[-+*/^(),=])"
    r"|(?P<newline>\n)"
)


@dataclass(frozen=True)
class Token:
    """A piece of a sheet, and the offset at which it begins."""

    kind: Kind
    text: str
    offset: int


def tokenize(source: Source) -> Iterator[Token]:
    """Split a sheet. Ends of lines within brackets are left out."""
    offset, depth = 0, 0
    while offset < len(source.text):
        match = TOKEN.match(source.text, offset)
        if match is None:
            raise ReckonError(f"{source.text[offset]!r} means nothing here", offset)
        text = match[0]
        depth += (text == "(") - (text == ")")
        kind = _kind(match)
        if kind is not None and not (kind == "newline" and depth > 0):
            yield Token(kind, text, offset)
        offset = match.end()
    yield Token("end", "", offset)


def _kind(match: re.Match[str]) -> Kind | None:
    kinds: tuple[Kind, ...] = ("number", "name", "sign", "newline")
    return next((kind for kind in kinds if match[kind] is not None), None)
