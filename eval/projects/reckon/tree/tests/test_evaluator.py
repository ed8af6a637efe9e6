import unittest
from fractions import Fraction
from pathlib import Path

from reckon.errors import ReckonError
from reckon.evaluator import evaluate
from reckon.numbers import number_text
from reckon.source import Source

SHEETS = Path(__file__).parent.parent / "sheets"


class EvaluateTest(unittest.TestCase):
    def test_what_binds_more(self) -> None:
        for text, value in (
            ("1 + 2 * 3", 7),
            ("2 ^ 3 ^ 2", 512),
            ("-2 ^ 2", -4),
            ("10 - 4 - 3", 3),
            ("2 ^ -1", Fraction(1, 2)),
            ("(1 + 2) * 19%", Fraction(57, 100)),
        ):
            with self.subTest(text):
                self.assertEqual(evaluate(Source(text)), [value])

    def test_functions(self) -> None:
        for text, value in (
            ("round(2.5)", 3),
            ("round(-2.345, 2)", Fraction(-235, 100)),
            ("max(1, 3, 2) - min(4, 2)", 1),
            ("sum(1, 2, 3)", 6),
        ):
            with self.subTest(text):
                self.assertEqual(evaluate(Source(text)), [value])

    def test_names(self) -> None:
        self.assertEqual(evaluate(Source("a = 2\nb = a * 3\nb\na = 5\na")), [6, 5])

    def test_what_cannot_be_computed(self) -> None:
        for text in ("1 / 0", "x", "f(1)", "0 ^ -1", "2 ^ 0.5", "round(1, 2, 3)"):
            with self.subTest(text), self.assertRaises(ReckonError):
                evaluate(Source(text))

    def test_sheets(self) -> None:
        for name, values in (("order", ["64.26"]), ("trip", ["31.073333"])):
            with self.subTest(name):
                text = (SHEETS / f"{name}.reckon").read_text(encoding="utf-8")
                self.assertEqual([number_text(value) for value in evaluate(Source(text))], values)
