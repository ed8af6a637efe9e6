"""One kind of thing that is kept."""

from __future__ import annotations

from dataclasses import dataclass, field

from stockroom.errors import NotEnoughError


@dataclass
class Item:
    """How much of a thing lies on which shelf. ``least`` is what there should be."""

    code: str
    title: str
    least: int = 0
    shelves: dict[str, int] = field(default_factory=dict)

    @property
    def total(self) -> int:
        return sum(self.shelves.values())

    @property
    def is_low(self) -> bool:
        return self.total < self.least

    def put(self, shelf: str, number: int) -> None:
        """Put some on a shelf."""
        self.shelves[shelf] = self.shelves.get(shelf, 0) + number

    def take(self, shelf: str, number: int) -> None:
        """Take some from a shelf. An empty shelf is forgotten."""
        there = self.shelves.get(shelf, 0)
        if number > there:
            raise NotEnoughError(self.code, shelf, number, there)
        self.shelves[shelf] = there - number
        if self.shelves[shelf] == 0:
            del self.shelves[shelf]
