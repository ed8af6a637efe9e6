import unittest
from datetime import datetime
from pathlib import Path

from planner.agenda import agenda, collisions, free_time
from planner.calendar_file import read_calendar
from planner.spans import Span
from planner.texts import agenda_text

HOUSEHOLD = Path(__file__).parent.parent / "data" / "household.cal"


def between(start: str, end: str) -> Span:
    return Span(datetime.fromisoformat(start), datetime.fromisoformat(end))


class AgendaTest(unittest.TestCase):
    def setUp(self) -> None:
        self.appointments = read_calendar(HOUSEHOLD.read_text(encoding="utf-8"))

    def days_of(self, title: str, within: Span) -> list[str]:
        found = agenda(self.appointments, within)
        return [f"{each.span.start:%m-%d}" for each in found if each.title == title]

    def test_what_comes_every_other_week(self) -> None:
        days = self.days_of("Choir", between("2025-01-01", "2026-01-01"))
        self.assertEqual(len(days), 10)
        self.assertEqual(days[:3], ["01-06", "01-20", "02-03"])

    def test_what_comes_on_the_last_day_of_a_month(self) -> None:
        days = self.days_of("Pay the rent", between("2025-01-01", "2025-07-01"))
        self.assertEqual(days, ["01-31", "02-28", "03-31", "04-30", "05-31", "06-30"])

    def test_until_a_day(self) -> None:
        self.assertEqual(self.days_of("Bins", between("2025-06-20", "2025-08-01")), ["06-24"])

    def test_collisions(self) -> None:
        calendar = (
            "2025-01-01 09:00 | 2h | A\n2025-01-01 10:00 | 1h | B\n2025-01-01 11:00 | 1h | C\n"
        )
        found = collisions(agenda(read_calendar(calendar), between("2025-01-01", "2025-01-02")))
        self.assertEqual([(a.title, b.title) for a, b in found], [("A", "B")])

    def test_free_time(self) -> None:
        day = between("2025-03-14T08:00", "2025-03-14T18:00")
        free = free_time(agenda(self.appointments, day), day)
        self.assertEqual([(span.start.hour, span.end.hour) for span in free], [(8, 15), (17, 18)])

    def test_text(self) -> None:
        text = agenda_text(agenda(self.appointments, between("2025-01-06", "2025-01-08")))
        self.assertEqual(
            text.splitlines(),
            [
                "Mon 06 Jan 2025",
                "  18:30 Choir (1h30m)",
                "Tue 07 Jan 2025",
                "  07:15 Bins (15m)",
            ],
        )
