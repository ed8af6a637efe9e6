import unittest
from datetime import date

from ledger.entries import Entry
from ledger.formats import FORMATS
from ledger.importer import StatementError, read_statement


class ReadStatementTest(unittest.TestCase):
    def test_spending_is_positive_and_income_is_left_out(self) -> None:
        text = "Date;Text;Amount\n01.03.2025;Salary;2.450,00\n02.03.2025;Corner grocer;-41,37\n"

        entries = list(read_statement(text, FORMATS["semicolon"]))

        self.assertEqual(entries, [Entry(date(2025, 3, 2), "Corner grocer", 4137)])

    def test_refunds_are_negative(self) -> None:
        text = "booked,description,value\n2025-03-20,Refund Bolt hardware,50.00\n"

        (entry,) = read_statement(text, FORMATS["comma"])

        self.assertEqual(entry.spent, -5000)
        self.assertTrue(entry.is_refund)

    def test_a_bad_line_is_named(self) -> None:
        text = "Date;Text;Amount\n01.03.2025;Salary;2.450,00\n2025-03-02;Corner grocer;-41,37\n"

        with self.assertRaisesRegex(StatementError, "line 3"):
            list(read_statement(text, FORMATS["semicolon"]))

    def test_a_missing_column_is_named(self) -> None:
        with self.assertRaisesRegex(StatementError, "'Amount'"):
            list(read_statement("Date;Text\n01.03.2025;Salary\n", FORMATS["semicolon"]))
