import tempfile
import unittest
from datetime import date, timedelta
from pathlib import Path

from lending.models import LendingError
from lending.service import Desk
from lending.store import Store

TODAY = date(2026, 2, 2)
DUE = TODAY + timedelta(days=28)


class DeskTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.desk = Desk(Store(Path(folder.name, "books.json")))
        for id in ["b1", "b2", "b3", "b4"]:
            self.desk.add(id, f"Title {id}")

    def test_lends_for_28_days(self):
        self.assertEqual(self.desk.lend("b1", "Ada", TODAY).due, DUE)

    def test_refuses_a_second_book_of_an_id(self):
        with self.assertRaises(LendingError):
            self.desk.add("b1", "Another")

    def test_lends_a_book_once(self):
        self.desk.lend("b1", "Ada", TODAY)
        with self.assertRaises(LendingError):
            self.desk.lend("b1", "Ben", TODAY)

    def test_lends_three_books_to_a_reader(self):
        for id in ["b1", "b2", "b3"]:
            self.desk.lend(id, "Ada", TODAY)
        with self.assertRaises(LendingError):
            self.desk.lend("b4", "Ada", TODAY)

    def test_lends_nothing_to_who_is_late(self):
        self.desk.lend("b1", "Ada", TODAY)
        self.desk.lend("b2", "Ada", DUE)
        with self.assertRaises(LendingError):
            self.desk.lend("b3", "Ada", DUE + timedelta(days=1))

    def test_fee_is_by_the_day_and_has_an_end(self):
        for late, fee in [(-3, 0), (0, 0), (2, 40), (25, 500), (90, 500)]:
            with self.subTest(late):
                self.desk.lend("b1", "Ada", TODAY)
                self.assertEqual(self.desk.bring("b1", DUE + timedelta(days=late)), fee)

    def test_brings_what_was_lent(self):
        with self.assertRaises(LendingError):
            self.desk.bring("b1", TODAY)

    def test_overdue_is_in_order(self):
        self.desk.lend("b2", "Ada", TODAY)
        self.desk.lend("b1", "Ben", TODAY)
        self.desk.lend("b3", "Ben", TODAY - timedelta(days=1))
        self.assertEqual(self.desk.overdue(DUE), self.desk.overdue(DUE)[:1])
        self.assertEqual(
            [loan.book for loan in self.desk.overdue(DUE + timedelta(days=1))], ["b3", "b1", "b2"]
        )
