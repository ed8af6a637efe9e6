import unittest

from stockroom.errors import StockError
from stockroom.session import Session
from stockroom.stock import Stock
from tests.samples import bolts

Shelves = dict[str, dict[str, int]]


def shelves(stock: Stock) -> Shelves:
    return {item.code: dict(item.shelves) for item in stock}


class UndoTest(unittest.TestCase):
    def setUp(self) -> None:
        self.session = Session(bolts())

    def now(self) -> Shelves:
        return shelves(self.session.stock)

    def test_each_command(self) -> None:
        for line in ("add M6 C3 5", "add M6 A1 5", "take W6 A1 320", "move M6 A1 B2 250"):
            with self.subTest(line):
                before = self.now()
                self.session.do(line)
                after = self.now()
                self.session.do("undo")
                self.assertEqual(self.now(), before)
                self.session.do("redo")
                self.assertEqual(self.now(), after)

    def test_many_steps_back_and_forth(self) -> None:
        states = [self.now()]
        for line in ("take M6 A1 1", "take M6 A1 2", "register P3 Plywood", "add P3 C1 7"):
            self.session.do(line)
            states.append(self.now())
        for _ in range(2):
            for state in reversed(states[:-1]):
                self.session.do("undo")
                self.assertEqual(self.now(), state)
            for state in states[1:]:
                self.session.do("redo")
                self.assertEqual(self.now(), state)

    def test_another_command_after_an_undo(self) -> None:
        self.session.do("take M6 A1 10")
        self.session.do("undo")
        self.session.do("take M6 A1 1")
        self.assertEqual(self.now()["M6"]["A1"], 249)
        self.session.do("undo")
        self.assertEqual(self.now()["M6"]["A1"], 250)
        with self.assertRaises(StockError):
            self.session.do("undo")

    def test_a_redo_can_be_undone(self) -> None:
        for line in ("add M6 A1 1", "undo", "redo", "undo"):
            self.session.do(line)
        self.assertEqual(self.now(), shelves(bolts()))

    def test_a_command_that_fails_is_no_step(self) -> None:
        self.session.do("add M6 A1 1")
        with self.assertRaises(StockError):
            self.session.do("move M6 A1 B2 1000")
        self.session.do("undo")
        self.assertEqual(self.now(), shelves(bolts()))


class SnapshotTest(unittest.TestCase):
    def test_nothing_is_shared(self) -> None:
        stock = bolts()
        before = stock.snapshot()
        stock.item("M6").put("A1", 1)
        self.assertEqual(before.item("M6").shelves["A1"], 250)
        before.item("W6").take("A1", 320)
        self.assertEqual(stock.item("W6").shelves, {"A1": 320})

    def test_all_is_kept(self) -> None:
        kept = [(item.title, item.least) for item in bolts().snapshot()]
        self.assertEqual(kept, [("Bolt M6", 100), ("Washer 6 mm", 500)])
