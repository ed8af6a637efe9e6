import unittest
from datetime import datetime, timedelta

from planner.appointments import Appointment
from planner.calendar_file import CalendarError, read_calendar
from planner.recurrence import Recurrence


class ReadCalendarTest(unittest.TestCase):
    def test_lines(self) -> None:
        text = (
            "# ours\n\n"
            "2025-03-14 15:00 | 2h | Dentist\n"
            "2025-01-31 09:00 | 30m | Rent | every month\n"
        )
        self.assertEqual(
            read_calendar(text),
            [
                Appointment("Dentist", datetime(2025, 3, 14, 15), timedelta(hours=2)),
                Appointment(
                    "Rent", datetime(2025, 1, 31, 9), timedelta(minutes=30), Recurrence("month")
                ),
            ],
        )

    def test_a_bad_line_is_named(self) -> None:
        for line in ("2025-03-14 | 2h | Dentist", "2025-03-14 15:00 | Dentist", "x | 2h | y | z"):
            with self.subTest(line), self.assertRaisesRegex(CalendarError, "line 2"):
                read_calendar(f"# ours\n{line}\n")
