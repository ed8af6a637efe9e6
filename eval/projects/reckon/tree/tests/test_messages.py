import unittest

from reckon.errors import ReckonError
from reckon.evaluator import evaluate
from reckon.messages import message
from reckon.source import Source


class MessageTest(unittest.TestCase):
    def told(self, text: str) -> list[str]:
        source = Source(text)
        with self.assertRaises(ReckonError) as caught:
            evaluate(source)
        return message(caught.exception, source).split("\n")

    def test_one_line(self) -> None:
        self.assertEqual(
            self.told("2 * rate"),
            ["sheet, line 1, column 5: there is no rate", "  2 * rate", "      ^"],
        )

    def test_within_a_later_line(self) -> None:
        self.assertEqual(
            self.told("a = 1\na / 0\n"),
            ["sheet, line 2, column 3: nothing can be divided by 0", "  a / 0", "    ^"],
        )

    def test_at_the_beginning_of_a_later_line(self) -> None:
        self.assertEqual(
            self.told("rate = 3\nrat * 2\n"),
            ["sheet, line 2, column 1: there is no rat", "  rat * 2", "  ^"],
        )

    def test_tabs(self) -> None:
        self.assertEqual(self.told("1 +\t$")[2], "     \t^")
