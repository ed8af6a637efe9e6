"""From the text of a template to tokens."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from stencil.errors import TemplateError

MARK = re.compile(r"\{\{(?P<value>.*?)\}\}|\{%(?P<tag>.*?)%\}", re.DOTALL)


@dataclass(frozen=True)
class Token:
    """A piece of a template."""

    kind: Literal["text", "value", "tag"]
    text: str
    line: int


def tokenize(source: str) -> Iterator[Token]:
    """Split a template into text, values and tags."""
    position, line = 0, 1
    for match in MARK.finditer(source):
        before = source[position : match.start()]
        if before:
            yield from _text(before, line)
        line += before.count("\n")
        kind = "value" if match["value"] is not None else "tag"
        yield Token(kind, match[kind].strip(), line)
        line += match[0].count("\n")
        position = match.end()
    if position < len(source):
        yield from _text(source[position:], line)


def _text(text: str, line: int) -> Iterator[Token]:
    for opening in ("{{", "{%"):
        at = text.find(opening)
        if at >= 0:
            raise TemplateError(f"{opening} is not closed", line + text.count("\n", 0, at))
    yield Token("text", text, line)
