import unittest
from datetime import date, datetime
from itertools import islice

from planner.agenda import agenda
from planner.calendar_file import read_calendar
from planner.recurrence import Recurrence
from planner.spans import Span


def days(rule: Recurrence, first: str, number: int = 6) -> list[str]:
    starts = rule.starts(datetime.fromisoformat(first))
    return [f"{start:%Y-%m-%d}" for start in islice(starts, number)]


class DaysOfMonthsTest(unittest.TestCase):
    def test_day_30_of_months(self) -> None:
        self.assertEqual(
            days(Recurrence("month"), "2024-12-30", 5),
            ["2024-12-30", "2025-01-30", "2025-02-28", "2025-03-30", "2025-04-30"],
        )

    def test_the_last_day_of_a_short_month_is_that_day_in_longer_ones(self) -> None:
        self.assertEqual(
            days(Recurrence("month"), "2025-02-28", 4),
            ["2025-02-28", "2025-03-28", "2025-04-28", "2025-05-28"],
        )
        self.assertEqual(
            days(Recurrence("month"), "2025-04-30", 3), ["2025-04-30", "2025-05-30", "2025-06-30"]
        )

    def test_a_leap_day_comes_back(self) -> None:
        self.assertEqual(
            days(Recurrence("year"), "2024-02-29", 5),
            ["2024-02-29", "2025-02-28", "2026-02-28", "2027-02-28", "2028-02-29"],
        )

    def test_the_end_of_february_stays_in_leap_years(self) -> None:
        self.assertEqual(days(Recurrence("year"), "2023-02-28", 2), ["2023-02-28", "2024-02-28"])

    def test_quarters(self) -> None:
        self.assertEqual(
            days(Recurrence("month", interval=3), "2024-11-30T08:00"),
            ["2024-11-30", "2025-02-28", "2025-05-30", "2025-08-30", "2025-11-30", "2026-02-28"],
        )

    def test_counts_and_ends(self) -> None:
        self.assertEqual(
            days(Recurrence("month", count=3), "2025-01-31"),
            ["2025-01-31", "2025-02-28", "2025-03-31"],
        )
        self.assertEqual(
            days(Recurrence("month", until=date(2025, 3, 30)), "2025-01-31"),
            ["2025-01-31", "2025-02-28"],
        )
        self.assertEqual(days(Recurrence("day", count=0), "2025-01-31"), [])

    def test_days_and_weeks(self) -> None:
        self.assertEqual(
            days(Recurrence("week", interval=2), "2025-01-31", 3),
            ["2025-01-31", "2025-02-14", "2025-02-28"],
        )
        self.assertEqual(
            days(Recurrence("day", interval=10, until=date(2025, 2, 20)), "2025-01-31"),
            ["2025-01-31", "2025-02-10", "2025-02-20"],
        )

    def test_the_time_of_day_stays(self) -> None:
        starts = Recurrence("month").starts(datetime(2025, 1, 31, 9, 45))
        self.assertEqual({start.time().isoformat() for start in islice(starts, 5)}, {"09:45:00"})

    def test_an_agenda_that_begins_later(self) -> None:
        appointments = read_calendar("2023-08-31 22:00 | 3h | Inventory | every month\n")
        found = agenda(appointments, Span(datetime(2025, 2, 2), datetime(2025, 4, 1)))
        self.assertEqual([f"{each.span.start:%m-%d}" for each in found], ["02-28", "03-31"])
