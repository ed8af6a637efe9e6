import unittest
from datetime import date

from ledger.entries import Entry
from ledger.rules import OTHER, Rule, load_rules, shares_of


def entry(text: str) -> Entry:
    return Entry(date(2025, 3, 1), text, 100)


class RulesTest(unittest.TestCase):
    def test_the_first_rule_that_applies(self) -> None:
        rules = [Rule("grocer", {"food": 1}), Rule("corner", {"home": 1})]
        self.assertEqual(shares_of(entry("CORNER GROCER"), rules), {"food": 1})
        self.assertEqual(shares_of(entry("Corner shop"), rules), {"home": 1})

    def test_no_rule(self) -> None:
        self.assertEqual(shares_of(entry("Cinema"), []), {OTHER: 1})

    def test_load(self) -> None:
        rules = load_rules('[{"pattern": "power", "shares": {"home": 2, "office": 1}}]')
        self.assertEqual(rules, [Rule("power", {"home": 2, "office": 1})])

    def test_shares_are_above_zero(self) -> None:
        with self.assertRaisesRegex(ValueError, "power"):
            load_rules('[{"pattern": "power", "shares": {"home": 0}}]')
