"""Spans of time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta


@dataclass(frozen=True, order=True)
class Span:
    """From a beginning up to an end, without the end."""

    start: datetime
    end: datetime

    def __post_init__(self) -> None:
        if self.end < self.start:
            raise ValueError("a span ends before it begins")

    @property
    def length(self) -> timedelta:
        return self.end - self.start

    def overlaps(self, other: Span) -> bool:
        """Whether there is a moment that both have."""
        return self.start < other.end and other.start < self.end

    def contains(self, moment: datetime) -> bool:
        """Whether a moment belongs to it."""
        return self.start <= moment < self.end


def merged(spans: Iterable[Span]) -> Iterator[Span]:
    """Join those that overlap or touch, in their order."""
    current: Span | None = None
    for span in sorted(spans):
        if current is None:
            current = span
        elif span.start <= current.end:
            current = Span(current.start, max(current.end, span.end))
        else:
            yield current
            current = span
    if current is not None:
        yield current


def gaps(spans: Iterable[Span], within: Span) -> Iterator[Span]:
    """Find what is left of a span between others."""
    position = within.start
    for span in merged(span for span in spans if span.overlaps(within)):
        if span.start > position:
            yield Span(position, span.start)
        position = max(position, span.end)
    if position < within.end:
        yield Span(position, within.end)
