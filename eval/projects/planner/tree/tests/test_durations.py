import unittest
from datetime import timedelta

from planner.durations import duration_text, parse_duration


class DurationTest(unittest.TestCase):
    def test_both_ways(self) -> None:
        for text, minutes in (("15m", 15), ("2h", 120), ("1h30m", 90), ("24h", 1440)):
            with self.subTest(text):
                self.assertEqual(parse_duration(text), timedelta(minutes=minutes))
                self.assertEqual(duration_text(timedelta(minutes=minutes)), text)

    def test_other_text(self) -> None:
        for text in ("", "30", "1d", "m"):
            with self.subTest(text), self.assertRaises(ValueError):
                parse_duration(text)
