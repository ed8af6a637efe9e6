"""The states of a stock, for undo and redo."""

from stockroom.errors import StockError
from stockroom.stock import Stock


class History:
    """What a stock was like before its last changes, and before they were taken back."""

    def __init__(self, limit: int = 50) -> None:
        self._limit = limit
        self._past: list[Stock] = []
        self._future: list[Stock] = []

    def remember(self, before: Stock) -> None:
        """Note the state before a change. What was taken back cannot be done again after it."""
        self._past.append(before)
        del self._past[: -self._limit]
        self._future.clear()

    def undo(self, now: Stock) -> Stock:
        """Go back by a change."""
        if not self._past:
            raise StockError("there is nothing to undo")
        self._future.append(now.snapshot())
        return self._past.pop()

    def redo(self, now: Stock) -> Stock:
        """Do again what was taken back."""
        if not self._future:
            raise StockError("there is nothing to redo")
        self._past.append(now.snapshot())
        return self._future.pop()
