from __future__ import annotations

import json
import sys
import types
import unittest
from unittest import mock

import text_repair


def repaired(*texts: str) -> list[str]:
    """Repair texts by an ftfy that says what it was asked."""
    ftfy = types.ModuleType("ftfy")
    ftfy.__dict__["fix_encoding"] = "<{}>".format
    with mock.patch.dict(sys.modules, {"ftfy": ftfy}):
        return text_repair.repair_texts(json.dumps(texts))


class TextRepairTests(unittest.TestCase):
    """Which of ftfy's functions are asked, and for what."""

    def test_undoes_wrong_decodings_and_nothing_else(self) -> None:
        self.assertEqual(repaired("schÃ¶n", "&amp;"), ["<schÃ¶n>", "<&amp;>"])

    def test_leaves_what_is_too_long(self) -> None:
        long = "Ã¶" * text_repair.LONGEST

        self.assertEqual(repaired("a", long), ["<a>", long])

    def test_says_that_there_is_no_ftfy(self) -> None:
        with mock.patch.dict(sys.modules, {"ftfy": None}), self.assertRaises(ImportError):
            text_repair.repair_texts('["a"]')
