import unittest
from datetime import date, datetime
from itertools import islice

from planner.recurrence import Recurrence, parse_recurrence


class StartsTest(unittest.TestCase):
    def test_without_end(self) -> None:
        starts = Recurrence("week", interval=2).starts(datetime(2025, 1, 6, 18, 30))
        self.assertEqual(
            list(islice(starts, 3)),
            [datetime(2025, 1, day, 18, 30) for day in (6, 20)] + [datetime(2025, 2, 3, 18, 30)],
        )

    def test_a_number_of_times(self) -> None:
        starts = list(Recurrence("day", count=3).starts(datetime(2025, 2, 27)))
        self.assertEqual([start.day for start in starts], [27, 28, 1])

    def test_until_a_day(self) -> None:
        rule = Recurrence("month", until=date(2025, 3, 5))
        self.assertEqual(len(list(rule.starts(datetime(2025, 1, 5, 23)))), 3)


class ParseTest(unittest.TestCase):
    def test_rules(self) -> None:
        for text, rule in (
            ("every month", Recurrence("month")),
            ("every 2 weeks, 10 times", Recurrence("week", 2, count=10)),
            ("every year until 2032-12-31", Recurrence("year", until=date(2032, 12, 31))),
        ):
            with self.subTest(text):
                self.assertEqual(parse_recurrence(text), rule)

    def test_no_rules(self) -> None:
        for text in ("", "each month", "every 0 days", "every month until soon"):
            with self.subTest(text), self.assertRaises(ValueError):
                parse_recurrence(text)
