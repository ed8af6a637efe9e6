"""The text of a sheet, and the places in it."""

import re
from bisect import bisect_left
from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Position:
    """A place as people count: lines and columns from 1."""

    line: int
    column: int


class Source:
    """A sheet. Within the program a place is an offset in its text."""

    def __init__(self, text: str, name: str = "sheet") -> None:
        self.text = text
        self.name = name
        self._ends = [match.end() for match in re.finditer(r"\n", text)]

    def position(self, offset: int) -> Position:
        """Where an offset is. The end of a line belongs to it."""
        line = bisect_left(self._ends, offset)
        start = self._ends[line - 1] if line > 0 else 0
        return Position(line + 1, offset - start + 1)

    def line(self, number: int) -> str:
        """The text of a line, without its end."""
        return self.text.split("\n")[number - 1]
