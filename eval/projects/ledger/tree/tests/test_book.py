import unittest
from datetime import date

from ledger.book import Book
from ledger.entries import Entry
from ledger.rules import Rule

RULES = [Rule("power", {"home": 2, "office": 1})]


class BookTest(unittest.TestCase):
    def test_an_entry_is_split(self) -> None:
        book = Book(RULES)

        shares = book.post(Entry(date(2025, 3, 4), "City power", 8810))

        self.assertEqual(shares, {"home": 5874, "office": 2936})
        self.assertEqual(book.categories("2025-03"), shares)

    def test_months_are_kept_apart(self) -> None:
        book = Book(RULES)
        book.post(Entry(date(2025, 4, 1), "City power", 300))
        book.post(Entry(date(2025, 3, 31), "Cinema", 1200))

        self.assertEqual(book.months(), ["2025-03", "2025-04"])
        self.assertEqual(book.categories("2025-03"), {"other": 1200})
        self.assertEqual(book.spent("2025-04"), 300)

    def test_books_share_nothing(self) -> None:
        Book(RULES).post(Entry(date(2025, 3, 4), "City power", 8810))
        self.assertEqual(Book(RULES).months(), [])
