"""The book: entries, and what each of them means for the categories."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from ledger.entries import Entry
from ledger.money import allocate
from ledger.rules import Rule, shares_of


@dataclass
class Book:
    """All entries that were posted, in their order."""

    rules: Sequence[Rule]
    entries: list[Entry] = field(default_factory=list)
    _categories: dict[str, Counter[str]] = field(default_factory=dict)

    def post(self, entry: Entry) -> dict[str, int]:
        """Add an entry and return what each category gets of it."""
        weights = shares_of(entry, self.rules)
        amounts = allocate(entry.spent, list(weights.values()))
        shares = dict(zip(weights, amounts, strict=True))
        month = self._categories.setdefault(entry.month, Counter())
        for category, cents in shares.items():
            month[category] += cents
        self.entries.append(entry)
        return shares

    def months(self) -> list[str]:
        """The months with entries, in order."""
        return sorted(self._categories)

    def categories(self, month: str) -> dict[str, int]:
        """What each category got in a month."""
        return dict(self._categories.get(month, {}))

    def spent(self, month: str) -> int:
        """What was spent in a month, by the entries themselves."""
        return sum(entry.spent for entry in self.entries if entry.month == month)
