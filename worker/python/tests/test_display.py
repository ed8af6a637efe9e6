from __future__ import annotations

import datetime
import decimal
import json
import unittest
from typing import Any, override

from vitrine._display import table_bundle


class Shy(dict[str, object]):
    """A dict that does not say what is in it."""

    @override
    def items(self) -> Any:
        raise ValueError("no")


def rows(value: object) -> Any:
    """Read the table of ``value``."""
    return json.loads(table_bundle(value)["application/json"])


class TableTests(unittest.TestCase):
    """``display`` of lists of dicts."""

    def test_what_json_has_no_word_for_is_text(self) -> None:
        table: list[dict[object, object]] = [
            {"day": datetime.date(2026, 1, 2), "price": decimal.Decimal("7.50"), 5: (1, 2)},
            {"rate": float("nan"), "big": 2**60, "ok": True, "none": None, "text": "æ", "x": 1.5},
        ]

        self.assertEqual(
            rows(table),
            [
                {"day": "2026-01-02", "price": "7.50", "5": "(1, 2)"},
                {"rate": "nan", "big": str(2**60), "ok": True, "none": None, "text": "æ", "x": 1.5},
            ],
        )

    def test_no_cell_costs_the_table(self) -> None:
        self.assertEqual(rows([Shy(a=1)]), [{"a": 1}])
        self.assertIn("ValueError", rows([{"huge": 10**5000}])[0]["huge"])

    def test_what_is_no_list_of_dicts_or_too_long_is_no_table(self) -> None:
        for value in ([], [{"a": 1}, 2], {"a": 1}, "text", None, [{"long": "x" * 300_000}]):
            self.assertEqual(table_bundle(value), {})
