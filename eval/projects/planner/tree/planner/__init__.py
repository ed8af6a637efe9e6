"""A calendar in text files."""

from planner.agenda import agenda, collisions, free_time
from planner.appointments import Appointment, Occurrence
from planner.calendar_file import CalendarError, read_calendar
from planner.recurrence import Recurrence
from planner.spans import Span

__all__ = [
    "Appointment",
    "CalendarError",
    "Occurrence",
    "Recurrence",
    "Span",
    "agenda",
    "collisions",
    "free_time",
    "read_calendar",
]
