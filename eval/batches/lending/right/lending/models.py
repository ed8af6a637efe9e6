"""What the desk knows of."""

from dataclasses import dataclass
from datetime import date


class LendingError(Exception):
    """What the desk cannot do."""


@dataclass(frozen=True)
class Book:
    """A book, by the id on its back."""

    id: str
    title: str


@dataclass(frozen=True)
class Loan:
    """A book that somebody has, and the day on which it is due."""

    book: str
    reader: str
    due: date
