import unittest
from fractions import Fraction

from reckon.errors import ReckonError
from reckon.parser import parse
from reckon.source import Source
from reckon.syntax import Line, Name, Number, Operation


class ParseTest(unittest.TestCase):
    def test_lines(self) -> None:
        self.assertEqual(
            parse(Source("a = 2\n\na + 1")),
            [
                Line("a", Number(Fraction(2), 4), 0),
                Line(None, Operation("+", Name("a", 7), Number(Fraction(1), 11), 9), 7),
            ],
        )

    def test_mistakes(self) -> None:
        for text, reason, offset in (
            ("1 +", "a value is missing", 3),
            ("(1 2", ") is missing", 3),
            ("1 2", "2 is too much", 2),
            ("max()", "a value is missing", 4),
        ):
            with self.subTest(text), self.assertRaises(ReckonError) as caught:
                parse(Source(text))
            self.assertEqual((caught.exception.reason, caught.exception.offset), (reason, offset))
