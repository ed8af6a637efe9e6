"""One line of a statement."""

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True)
class Entry:
    """Money that was spent, or came back. ``spent`` is in cents, and negative for a refund."""

    day: date
    text: str
    spent: int

    @property
    def month(self) -> str:
        """The month as ``2025-03``."""
        return f"{self.day:%Y-%m}"

    @property
    def is_refund(self) -> bool:
        return self.spent < 0
