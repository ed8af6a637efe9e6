import unittest

from stockroom.errors import NotEnoughError
from stockroom.items import Item


class ItemTest(unittest.TestCase):
    def test_put_and_take(self) -> None:
        item = Item("M6", "Bolt M6")
        item.put("A1", 5)
        item.put("A1", 2)
        item.take("A1", 3)
        self.assertEqual(item.shelves, {"A1": 4})

    def test_an_empty_shelf_is_forgotten(self) -> None:
        item = Item("M6", "Bolt M6", shelves={"A1": 3, "B1": 1})
        item.take("A1", 3)
        self.assertEqual(item.shelves, {"B1": 1})

    def test_not_enough(self) -> None:
        item = Item("M6", "Bolt M6", shelves={"A1": 3})
        with self.assertRaisesRegex(NotEnoughError, "there are 3 of M6 on A1, and not 4"):
            item.take("A1", 4)
        self.assertEqual(item.total, 3)

    def test_items_share_no_shelves(self) -> None:
        Item("M6", "Bolt M6").put("A1", 5)
        self.assertEqual(Item("M8", "Bolt M8").shelves, {})

    def test_low(self) -> None:
        self.assertTrue(Item("M6", "Bolt M6", least=4, shelves={"A1": 3}).is_low)
        self.assertFalse(Item("M6", "Bolt M6", least=3, shelves={"A1": 3}).is_low)
