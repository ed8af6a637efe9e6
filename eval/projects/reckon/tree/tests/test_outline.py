import unittest

from reckon.outline import outline
from reckon.source import Position, Source


class OutlineTest(unittest.TestCase):
    def test_names_in_their_order(self) -> None:
        names = [name for name, _ in outline(Source("b = 1\na = b\na\nb = 2"))]
        self.assertEqual(names, ["b", "a", "b"])

    def test_places(self) -> None:
        self.assertEqual(
            outline(Source("a = 1\n  b = 2\n")), [("a", Position(1, 1)), ("b", Position(2, 3))]
        )
