"""Calendars as text."""

from datetime import datetime

from planner.appointments import Appointment
from planner.durations import parse_duration
from planner.recurrence import parse_recurrence


class CalendarError(ValueError):
    """A line of a calendar that cannot be read."""


def read_calendar(text: str) -> list[Appointment]:
    """Read all appointments. Empty lines and those that begin with ``#`` say nothing."""
    appointments = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            appointments.append(_appointment(line))
        except ValueError as error:
            raise CalendarError(f"line {number}: {error}") from error
    return appointments


def _appointment(line: str) -> Appointment:
    fields = [field.strip() for field in line.split("|")]
    if len(fields) not in (3, 4):
        raise ValueError("it takes a time, a duration, a title, and maybe a rule")
    first, duration, title, *rules = fields
    return Appointment(
        title=title,
        first=datetime.strptime(first, "%Y-%m-%d %H:%M"),
        duration=parse_duration(duration),
        recurrence=parse_recurrence(rules[0]) if rules else None,
    )
