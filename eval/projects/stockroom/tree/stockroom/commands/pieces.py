"""Commands for pieces on shelves."""

from stockroom.commands.command import Command
from stockroom.stock import Stock
from stockroom.words import expect, number


def add(stock: Stock, words: list[str]) -> str:
    """Put pieces on a shelf."""
    code, shelf, pieces = expect(words, "CODE", "SHELF", "NUMBER")
    stock.item(code).put(shelf, number(pieces))
    return ""


def take(stock: Stock, words: list[str]) -> str:
    """Take pieces from a shelf."""
    code, shelf, pieces = expect(words, "CODE", "SHELF", "NUMBER")
    item = stock.item(code)
    item.take(shelf, number(pieces))
    return f"{item.title} is low: {item.total} of {item.least}" if item.is_low else ""


def move(stock: Stock, words: list[str]) -> str:
    """Bring pieces from a shelf to another."""
    code, source, target, pieces = expect(words, "CODE", "FROM", "TO", "NUMBER")
    item = stock.item(code)
    item.take(source, number(pieces))
    item.put(target, number(pieces))
    return ""


ADD = Command("add", add)
TAKE = Command("take", take)
MOVE = Command("move", move)
