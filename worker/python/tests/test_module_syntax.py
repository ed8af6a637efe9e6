from __future__ import annotations

import json
import unittest
import warnings
from typing import Any

from module_syntax import syntax_fault


def fault(code: str) -> dict[str, Any] | None:
    """What is wrong with a module."""
    return syntax_fault(json.dumps({"code": code, "filename": "a.py"}))


class ModuleSyntaxTests(unittest.TestCase):
    """What a file may not have."""

    def test_a_module_has_no_fault(self) -> None:
        self.assertIsNone(
            fault("from __future__ import annotations\n\ndef f() -> int:\n    return 1\n")
        )
        self.assertIsNone(fault(""))

    def test_says_what_is_wrong_and_where(self) -> None:
        found = fault("x = 1\nif x\n    y = 2\n")

        self.assertEqual(
            found, {"message": "expected ':'", "line": 2, "column": 5, "pythonType": "SyntaxError"}
        )

    def test_a_file_is_no_cell(self) -> None:
        for code in ("await f()", "%pip install attrs", "!ls"):
            with self.subTest(code=code):
                self.assertIsNotNone(fault(code))

    def test_doubts_of_python_are_no_faults(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("error")

            self.assertIsNone(fault('x = "\\d"'))
