"""Commands that only look."""

from stockroom.commands.command import Command
from stockroom.stock import Stock
from stockroom.words import expect


def list_items(stock: Stock, words: list[str]) -> str:
    """Write a line for each item."""
    expect(words)
    lines = []
    for item in stock:
        shelves = ", ".join(f"{shelf}: {count}" for shelf, count in sorted(item.shelves.items()))
        lines.append(f"{item.code} {item.title}: {item.total} ({shelves or 'none'})")
    return "\n".join(lines)


def low(stock: Stock, words: list[str]) -> str:
    """Write a line for each item of which there is too little."""
    expect(words)
    return "\n".join(f"{item.code}: {item.total} of {item.least}" for item in stock if item.is_low)


LIST = Command("list", list_items, changes=False)
LOW = Command("low", low, changes=False)
