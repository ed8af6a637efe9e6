"""Commands, one after the other, on a stock."""

from stockroom.commands import COMMANDS
from stockroom.errors import StockError
from stockroom.history import History
from stockroom.stock import Stock


class Session:
    """Does commands, and takes them back."""

    def __init__(self, stock: Stock) -> None:
        self.stock = stock
        self._history = History()

    def do(self, line: str) -> str:
        """Do a command and return what it has to say."""
        name, *words = line.split()
        if name == "undo":
            self.stock = self._history.undo(self.stock)
            return ""
        if name == "redo":
            self.stock = self._history.redo(self.stock)
            return ""
        command = COMMANDS.get(name)
        if command is None:
            raise StockError(f"there is no command {name}")
        before = self.stock.snapshot() if command.changes else None
        text = command.run(self.stock, words)
        if before is not None:
            self._history.remember(before)
        return text
