"""Appointments, and the times at which they happen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from planner.recurrence import Recurrence
from planner.spans import Span


@dataclass(frozen=True)
class Appointment:
    """Something that happens once, or comes again."""

    title: str
    first: datetime
    duration: timedelta
    recurrence: Recurrence | None = None

    def occurrences(self, within: Span) -> Iterator[Occurrence]:
        """Find the times that have a part in a span."""
        starts = (
            iter([self.first]) if self.recurrence is None else self.recurrence.starts(self.first)
        )
        for start in starts:
            if start >= within.end:
                return
            span = Span(start, start + self.duration)
            if span.overlaps(within):
                yield Occurrence(self.title, span)


@dataclass(frozen=True)
class Occurrence:
    """One time at which an appointment happens."""

    title: str
    span: Span
