import unittest

from durations.text import parse, render


class ParseTest(unittest.TestCase):
    def test_adds_the_parts(self):
        self.assertEqual(parse("1h 30m"), 5400)
        self.assertEqual(parse("2w 1d"), 1_296_000)

    def test_needs_no_blanks(self):
        self.assertEqual(parse("1h30m"), 5400)

    def test_takes_capital_letters(self):
        self.assertEqual(parse("1H 30M"), 5400)

    def test_refuses_a_wrong_order(self):
        for text in ["30m 1h", "1h 1h"]:
            with self.subTest(text), self.assertRaises(ValueError):
                parse(text)

    def test_refuses_what_is_no_length(self):
        for text in ["", "  ", "90", "1.5h", "-1h", "1h,", "h"]:
            with self.subTest(text), self.assertRaises(ValueError):
                parse(text)


class RenderTest(unittest.TestCase):
    def test_leaves_out_zeros(self):
        self.assertEqual(render(5400), "1h 30m")
        self.assertEqual(render(86_401), "1d 1s")
        self.assertEqual(render(604_800), "1w")

    def test_shows_nothing_as_seconds(self):
        self.assertEqual(render(0), "0s")

    def test_refuses_negative_numbers(self):
        with self.assertRaises(ValueError):
            render(-1)
