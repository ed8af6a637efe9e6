import unittest

from reckon.errors import ReckonError
from reckon.evaluator import evaluate
from reckon.messages import message
from reckon.outline import outline
from reckon.source import Position, Source


class PositionTest(unittest.TestCase):
    def test_every_place_of_a_text(self) -> None:
        text = "ab\n\nc\n d\n"
        source = Source(text)
        line, column = 1, 1
        for offset in range(len(text) + 1):
            with self.subTest(offset):
                self.assertEqual(source.position(offset), Position(line, column))
            if text[offset : offset + 1] == "\n":
                line, column = line + 1, 1
            else:
                column += 1

    def test_a_text_without_lines(self) -> None:
        self.assertEqual(Source("").position(0), Position(1, 1))
        self.assertEqual(Source("\n").position(1), Position(2, 1))


class OutlineTest(unittest.TestCase):
    def test_places_of_names(self) -> None:
        source = Source("# names\na = 1\n\nb = 2\n  c = 3\nd = 4")
        self.assertEqual(
            [(name, place.line, place.column) for name, place in outline(source)],
            [("a", 2, 1), ("b", 4, 1), ("c", 5, 3), ("d", 6, 1)],
        )


class MessageTest(unittest.TestCase):
    def told(self, text: str) -> list[str]:
        source = Source(text)
        with self.assertRaises(ReckonError) as caught:
            evaluate(source)
        return message(caught.exception, source).split("\n")

    def test_beginnings_of_lines(self) -> None:
        self.assertEqual(
            self.told("a = 1\n\nb = 2\nc + 1\n"),
            ["sheet, line 4, column 1: there is no c", "  c + 1", "  ^"],
        )
        self.assertEqual(
            self.told("a = 1\n$"), ["sheet, line 2, column 1: '$' means nothing here", "  $", "  ^"]
        )

    def test_ends_of_lines(self) -> None:
        self.assertEqual(
            self.told("a = 1 +\nb = 2\n"),
            ["sheet, line 1, column 8: a value is missing", "  a = 1 +", "         ^"],
        )
        self.assertEqual(
            self.told("a = 1\nb = (a\n"), ["sheet, line 3, column 1: ) is missing", "  ", "  ^"]
        )
