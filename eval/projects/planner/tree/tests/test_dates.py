import unittest
from datetime import datetime

from planner.dates import add, add_months


class AddTest(unittest.TestCase):
    def test_days_and_weeks(self) -> None:
        self.assertEqual(add(datetime(2025, 1, 30, 9), 3, "day"), datetime(2025, 2, 2, 9))
        self.assertEqual(add(datetime(2025, 1, 30, 9), 1, "week"), datetime(2025, 2, 6, 9))

    def test_months_and_years(self) -> None:
        self.assertEqual(add(datetime(2025, 11, 5), 3, "month"), datetime(2026, 2, 5))
        self.assertEqual(add(datetime(2025, 11, 5), 2, "year"), datetime(2027, 11, 5))

    def test_a_day_that_is_missing(self) -> None:
        self.assertEqual(add_months(datetime(2025, 1, 31), 1), datetime(2025, 2, 28))
        self.assertEqual(add_months(datetime(2024, 2, 29), 12), datetime(2025, 2, 28))

    def test_back(self) -> None:
        self.assertEqual(add_months(datetime(2025, 3, 31), -1), datetime(2025, 2, 28))
