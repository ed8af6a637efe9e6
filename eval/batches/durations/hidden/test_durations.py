import unittest

from durations.text import parse, render
from durations.units import ORDER, SECONDS


class DurationsTest(unittest.TestCase):
    def test_units(self):
        self.assertEqual(dict(SECONDS), {"w": 604_800, "d": 86_400, "h": 3_600, "m": 60, "s": 1})
        self.assertEqual("".join(ORDER), "wdhms")

    def test_there_and_back(self):
        for seconds in [1, 59, 60, 3_601, 86_399, 90_061, 694_861, 6_048_000]:
            with self.subTest(seconds):
                self.assertEqual(parse(render(seconds)), seconds)

    def test_blanks_and_letters(self):
        for text in ["1d12h", "1d 12h", "  1D   12h ", "36h", "1D12H0m"]:
            with self.subTest(text):
                self.assertEqual(parse(text), 129_600)

    def test_what_is_refused(self):
        for text in [
            "",
            " ",
            "5",
            "m",
            "30m 1h",
            "1h 1h",
            "1.5h",
            "-1h",
            "+1h",
            "1h,",
            "1h x",
            "1y",
            "1 h 2",
            "1h;2m",
        ]:
            with self.subTest(text), self.assertRaises(ValueError):
                parse(text)

    def test_nothing_and_less(self):
        self.assertEqual(render(0), "0s")
        self.assertEqual(parse("0s"), 0)
        with self.assertRaises(ValueError):
            render(-60)
