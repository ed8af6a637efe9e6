"""What was spent in a month."""

from dataclasses import dataclass

from ledger.book import Book
from ledger.money import format_amount


@dataclass(frozen=True)
class MonthReport:
    """The categories of a month, the largest first."""

    month: str
    lines: list[tuple[str, int]]
    total: int


def month_report(book: Book, month: str) -> MonthReport:
    """Sum up a month."""
    categories = book.categories(month)
    lines = sorted(categories.items(), key=lambda line: (-line[1], line[0]))
    return MonthReport(month, lines, sum(categories.values()))


def format_report(report: MonthReport) -> str:
    """Write a report as text, amounts to the right."""
    width = max((len(name) for name, _ in report.lines), default=0)
    width = max(width, len("total"))
    lines = [*report.lines, ("total", report.total)]
    body = [f"  {name:<{width}} {format_amount(cents):>12}" for name, cents in lines]
    return "\n".join([report.month, *body])
