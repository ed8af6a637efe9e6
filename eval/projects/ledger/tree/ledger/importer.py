"""From the text of a statement to entries."""

import csv
import io
from collections.abc import Iterator
from datetime import datetime

from ledger.entries import Entry
from ledger.formats import StatementFormat
from ledger.money import AmountError, parse_amount

REFUND_WORDS = ("refund", "returned", "credit note")


class StatementError(ValueError):
    """A line of a statement that cannot be read."""


def read_statement(text: str, layout: StatementFormat) -> Iterator[Entry]:
    """Read what was spent and what came back. Other income is left out."""
    rows = csv.DictReader(io.StringIO(text), delimiter=layout.delimiter)
    for number, row in enumerate(rows, start=2):
        try:
            day = datetime.strptime(row[layout.day], layout.day_format).date()
            amount = parse_amount(row[layout.amount], decimal_comma=layout.decimal_comma)
        except KeyError as error:
            raise StatementError(f"there is no column {error}") from error
        except (AmountError, ValueError) as error:
            raise StatementError(f"line {number}: {error}") from error
        words = row[layout.text].strip()
        if amount < 0 or _is_refund(words):
            # The bank's sign is that of the account; here it is that of the spending.
            yield Entry(day, words, -amount)


def _is_refund(words: str) -> bool:
    return any(word in words.lower() for word in REFUND_WORDS)
