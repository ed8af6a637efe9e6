"""The command line: a report for every month of a statement."""

import argparse
from pathlib import Path

from ledger.book import Book
from ledger.formats import FORMATS
from ledger.importer import read_statement
from ledger.report import format_report, month_report
from ledger.rules import load_rules


def main(arguments: list[str] | None = None) -> int:
    """Print the reports and return the exit code."""
    parser = argparse.ArgumentParser(prog="ledger", description=__doc__)
    parser.add_argument("statement", type=Path)
    parser.add_argument("--rules", type=Path, required=True)
    parser.add_argument("--format", choices=sorted(FORMATS), default="semicolon")
    options = parser.parse_args(arguments)

    book = Book(load_rules(options.rules.read_text(encoding="utf-8")))
    text = options.statement.read_text(encoding="utf-8")
    for entry in read_statement(text, FORMATS[options.format]):
        book.post(entry)
    for month in book.months():
        print(format_report(month_report(book, month)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
