"""Which categories an entry belongs to."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from ledger.entries import Entry

OTHER = "other"


@dataclass(frozen=True)
class Rule:
    """Entries whose text has the pattern belong to these categories, by weight."""

    pattern: str
    shares: dict[str, int]

    def applies_to(self, entry: Entry) -> bool:
        """Whether the pattern is in the entry's text, in capitals or not."""
        return re.search(self.pattern, entry.text, re.IGNORECASE) is not None


def load_rules(text: str) -> list[Rule]:
    """Read rules from a list in JSON."""
    rules = [Rule(item["pattern"], dict(item["shares"])) for item in json.loads(text)]
    for rule in rules:
        if not rule.shares or min(rule.shares.values()) <= 0:
            raise ValueError(f"the rule for {rule.pattern!r} needs shares above zero")
    return rules


def shares_of(entry: Entry, rules: Sequence[Rule]) -> dict[str, int]:
    """Find the weights of the first rule that applies."""
    for rule in rules:
        if rule.applies_to(entry):
            return rule.shares
    return {OTHER: 1}
