import unittest

from reckon.source import Position, Source


class SourceTest(unittest.TestCase):
    def test_positions(self) -> None:
        source = Source("one\nthree = 3\n")
        for offset, position in ((0, Position(1, 1)), (2, Position(1, 3)), (10, Position(2, 7))):
            with self.subTest(offset):
                self.assertEqual(source.position(offset), position)

    def test_lines(self) -> None:
        source = Source("one\n\nthree")
        self.assertEqual([source.line(number) for number in (1, 2, 3)], ["one", "", "three"])
