"""The words of a command."""

from stockroom.errors import StockError


def expect(words: list[str], *names: str) -> list[str]:
    """Check how many words there are."""
    if len(words) != len(names):
        raise StockError(f"it takes {' '.join(names) or 'no words'}")
    return words


def number(word: str) -> int:
    """Read a number of pieces, which is above zero."""
    if not word.isdecimal() or int(word) == 0:
        raise StockError(f"{word!r} is no number of pieces")
    return int(word)
