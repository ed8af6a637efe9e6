"""What comes again, and when."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime

from planner.dates import UNITS, Unit, add

RULE = re.compile(
    r"every (?:(?P<interval>\d+) )?(?P<unit>day|week|month|year)s?"
    r"(?:, (?P<count>\d+) times)?"
    r"(?: until (?P<until>\d{4}-\d{2}-\d{2}))?"
)


@dataclass(frozen=True)
class Recurrence:
    """A rule by which something comes again. The first time counts."""

    unit: Unit
    interval: int = 1
    count: int | None = None
    until: date | None = None

    def starts(self, first: datetime) -> Iterator[datetime]:
        """Count on from the first time, without end unless the rule has one."""
        done = 0
        current = first
        while self.count is None or done < self.count:
            if self.until is not None and current.date() > self.until:
                return
            yield current
            done += 1
            current = add(current, self.interval, self.unit)


def parse_recurrence(text: str) -> Recurrence:
    """Read a rule such as ``every 2 weeks, 10 times`` or ``every month until 2025-12-31``."""
    match = RULE.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"{text.strip()!r} is no rule")
    interval = int(match["interval"] or 1)
    if interval == 0:
        raise ValueError("a rule needs an interval above zero")
    return Recurrence(
        unit=next(unit for unit in UNITS if unit == match["unit"]),
        interval=interval,
        count=None if match["count"] is None else int(match["count"]),
        until=None if match["until"] is None else date.fromisoformat(match["until"]),
    )
