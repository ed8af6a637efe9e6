import unittest

from stockroom.errors import StockError
from stockroom.history import History
from stockroom.stock import Stock
from tests.samples import bolts


class HistoryTest(unittest.TestCase):
    def test_back_and_forth(self) -> None:
        history = History()
        history.remember(Stock())
        back = history.undo(bolts())
        self.assertEqual(len(back), 0)
        self.assertEqual(len(history.redo(back)), 2)

    def test_nothing_left(self) -> None:
        with self.assertRaisesRegex(StockError, "nothing to undo"):
            History().undo(Stock())
        with self.assertRaisesRegex(StockError, "nothing to redo"):
            History().redo(Stock())

    def test_a_change_forgets_what_was_taken_back(self) -> None:
        history = History()
        history.remember(Stock())
        history.undo(bolts())
        history.remember(Stock())
        with self.assertRaises(StockError):
            history.redo(Stock())

    def test_the_oldest_are_forgotten(self) -> None:
        history = History(limit=2)
        for _ in range(3):
            history.remember(Stock())
        history.undo(Stock())
        history.undo(Stock())
        with self.assertRaises(StockError):
            history.undo(Stock())
