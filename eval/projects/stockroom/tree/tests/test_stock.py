import unittest

from stockroom.errors import StockError
from stockroom.items import Item
from tests.samples import bolts


class StockTest(unittest.TestCase):
    def test_register_and_drop(self) -> None:
        stock = bolts()
        stock.register(Item("P3", "Plywood"))
        self.assertEqual([item.code for item in stock], ["M6", "P3", "W6"])
        stock.drop("P3")
        self.assertEqual(len(stock), 2)

    def test_what_cannot_be_done(self) -> None:
        stock = bolts()
        for act in (
            lambda: stock.item("P3"),
            lambda: stock.register(Item("M6", "Bolt")),
            lambda: stock.drop("M6"),
        ):
            with self.assertRaises(StockError):
                act()

    def test_a_snapshot_keeps_what_is_dropped(self) -> None:
        stock = bolts()
        stock.register(Item("P3", "Plywood"))
        before = stock.snapshot()
        stock.drop("P3")
        self.assertEqual(before.item("P3").title, "Plywood")
