import unittest
from datetime import date

from ledger.book import Book
from ledger.entries import Entry
from ledger.money import allocate
from ledger.report import month_report
from ledger.rules import Rule

WEIGHTS = ([1, 1], [1, 1, 1], [2, 1], [5, 3, 7], [1, 1, 1, 1, 1, 1, 1])


class AllocateTest(unittest.TestCase):
    def test_shares_add_up(self) -> None:
        for cents in (-1, -2, -100, -101, -1999, -2000, -8810):
            for weights in WEIGHTS:
                with self.subTest(cents=cents, weights=weights):
                    self.assertEqual(sum(allocate(cents, weights)), cents)

    def test_a_refund_is_split_as_its_purchase(self) -> None:
        for cents in (1, 100, 101, 1999, 8810):
            for weights in WEIGHTS:
                with self.subTest(cents=cents, weights=weights):
                    taken = [-share for share in allocate(cents, weights)]
                    self.assertEqual(allocate(-cents, weights), taken)

    def test_purchases_are_split_as_before(self) -> None:
        self.assertEqual(allocate(101, [1, 1]), [51, 50])
        self.assertEqual(allocate(8810, [2, 1]), [5874, 2936])
        self.assertEqual(allocate(5, [1] * 7), [1, 1, 1, 1, 1, 0, 0])


class BookTest(unittest.TestCase):
    def test_a_posted_refund_adds_up(self) -> None:
        book = Book([Rule("paper", {"office": 3, "school": 4})])
        shares = book.post(Entry(date(2025, 5, 2), "Paper, returned", -999))
        self.assertEqual(sum(shares.values()), -999)

    def test_purchase_and_refund_cancel(self) -> None:
        book = Book([Rule("paper", {"office": 3, "school": 4, "home": 4})])
        book.post(Entry(date(2025, 5, 2), "Paper", 1235))
        book.post(Entry(date(2025, 5, 9), "Paper, returned", -1235))
        self.assertEqual(set(book.categories("2025-05").values()), {0})

    def test_lines_of_a_report_are_those_of_the_book(self) -> None:
        book = Book([Rule("paper", {"office": 3, "school": 4})])
        book.post(Entry(date(2025, 5, 2), "Paper", 10000))
        book.post(Entry(date(2025, 5, 9), "Paper, returned", -999))
        report = month_report(book, "2025-05")
        self.assertEqual(dict(report.lines), book.categories("2025-05"))
        self.assertEqual(sum(cents for _, cents in report.lines), 9001)
