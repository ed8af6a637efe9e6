"""What a sheet is made of."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Number:
    """A number."""

    value: Fraction
    offset: int


@dataclass(frozen=True)
class Name:
    """The value of a name."""

    name: str
    offset: int


@dataclass(frozen=True)
class Negation:
    """A value with the other sign."""

    operand: Expression
    offset: int


@dataclass(frozen=True)
class Operation:
    """Two values and the sign between them, whose offset it has."""

    sign: str
    left: Expression
    right: Expression
    offset: int


@dataclass(frozen=True)
class Call:
    """A function with its values."""

    name: str
    arguments: tuple[Expression, ...]
    offset: int


Expression = Number | Name | Negation | Operation | Call


@dataclass(frozen=True)
class Line:
    """A line: a value, and the name that it gets, if any. The offset is that of its first token."""

    name: str | None
    value: Expression
    offset: int
