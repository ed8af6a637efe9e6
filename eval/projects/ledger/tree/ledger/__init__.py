"""What a household spent, from the statements of its bank."""

from ledger.book import Book
from ledger.entries import Entry
from ledger.importer import read_statement
from ledger.report import month_report
from ledger.rules import Rule, load_rules

__all__ = ["Book", "Entry", "Rule", "load_rules", "month_report", "read_statement"]
