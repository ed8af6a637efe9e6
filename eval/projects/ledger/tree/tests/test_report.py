import unittest
from datetime import date

from ledger.book import Book
from ledger.entries import Entry
from ledger.report import format_report, month_report
from ledger.rules import Rule

RULES = [
    Rule("grocer", {"food": 1}),
    Rule("hardware", {"home": 1, "garden": 1, "office": 1}),
]


def march(*entries: tuple[str, int]) -> Book:
    book = Book(RULES)
    for text, spent in entries:
        book.post(Entry(date(2025, 3, 12), text, spent))
    return book


class MonthReportTest(unittest.TestCase):
    def test_the_largest_category_first(self) -> None:
        report = month_report(march(("Grocer", 4137), ("Cinema", 9000)), "2025-03")
        self.assertEqual(report.lines, [("other", 9000), ("food", 4137)])
        self.assertEqual(report.total, 13137)

    def test_total_is_what_was_spent(self) -> None:
        book = march(("Grocer", 4137), ("Bolt hardware", 5000), ("Grocer", 1))
        self.assertEqual(month_report(book, "2025-03").total, book.spent("2025-03"))

    def test_total_is_what_was_spent_after_a_refund(self) -> None:
        book = march(("Grocer", 4137), ("Bolt hardware", 5000), ("Refund Bolt hardware", -2000))
        self.assertEqual(month_report(book, "2025-03").total, book.spent("2025-03"))

    def test_an_empty_month(self) -> None:
        self.assertEqual(month_report(march(), "2025-03").lines, [])


class FormatReportTest(unittest.TestCase):
    def test_amounts_stand_at_the_right(self) -> None:
        text = format_report(month_report(march(("Grocer", 4137), ("Cinema", 900)), "2025-03"))
        self.assertEqual(
            text.splitlines(),
            ["2025-03", "  food         41.37", "  other         9.00", "  total        50.37"],
        )
