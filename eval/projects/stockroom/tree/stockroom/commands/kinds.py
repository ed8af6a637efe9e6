"""Commands for kinds of things."""

from stockroom.commands.command import Command
from stockroom.items import Item
from stockroom.stock import Stock
from stockroom.words import expect


def register(stock: Stock, words: list[str]) -> str:
    """Add a kind of thing, of which there is nothing yet."""
    code, title = expect(words, "CODE", "TITLE")
    stock.register(Item(code, title.replace("_", " ")))
    return ""


def drop(stock: Stock, words: list[str]) -> str:
    """Forget a kind of thing."""
    (code,) = expect(words, "CODE")
    stock.drop(code)
    return ""


REGISTER = Command("register", register)
DROP = Command("drop", drop)
