"""Findings, and where in the code they are."""

from __future__ import annotations

import ast
import re
from typing import Any, Literal

type Severity = Literal["error", "warning"]

_MOST = 100
_LONGEST = 1_000
_LINE_BREAK = re.compile(r"\r\n|\r|\n")


class Findings:
    """What was found in one piece of code.

    Beside the findings of its own it collects what only the page can judge:
    ``uses`` of tools.
    """

    def __init__(self, code: str) -> None:
        self._lines = _LINE_BREAK.split(code)
        self._found: dict[tuple[object, ...], dict[str, Any]] = {}
        self._uses: dict[tuple[object, ...], dict[str, Any]] = {}

    def add(
        self,
        severity: Severity,
        code: str,
        message: str,
        *,
        span: dict[str, int],
        python_type: str,
        suggestion: str = "",
        **about: object,
    ) -> None:
        """Note a finding; of two that say the same of one place the graver one stays.

        Args:
            severity: ``error`` only where the run certainly fails of it.
            code: What kind of finding it is, for programs.
            message: What is wrong, as Python or the page would say it.
            span: Where; see ``span_of``.
            python_type: The exception that the run would raise.
            suggestion: What to write instead.
            **about: What the page needs to judge it.
        """
        key = (span["line"], span["column"], code, message)
        known = self._found.get(key)
        if (known is not None and known["severity"] == "error") or len(self._found) >= _MOST:
            return
        self._found[key] = {
            "severity": severity,
            "code": code,
            "message": message[:_LONGEST],
            "pythonType": python_type,
            "suggestion": suggestion[:_LONGEST],
            **span,
            **about,
        }

    def add_use(self, use: dict[str, Any]) -> None:
        """Note that code uses a tool, for the page to judge."""
        key = (use["line"], use["column"], use["text"])
        known = self._uses.get(key)
        if (known is not None and known["certain"]) or len(self._uses) >= _MOST:
            return
        self._uses[key] = use

    def span_of(self, node: ast.expr | ast.stmt | ast.alias) -> dict[str, int]:
        """Line and column from 1 on, columns in UTF-16 units as editors of the page count them."""
        span = {"line": node.lineno, "column": self._column(node.lineno, node.col_offset)}
        if node.end_lineno is not None and node.end_col_offset is not None:
            span["endLine"] = node.end_lineno
            span["endColumn"] = self._column(node.end_lineno, node.end_col_offset)
        return span

    def span_at(self, line: int, character: int) -> dict[str, int]:
        """The place of a character, both from 1 on."""
        line = min(max(1, line), len(self._lines))
        before = self._lines[line - 1][: max(0, character - 1)]
        return {"line": line, "column": _utf16_length(before) + 1}

    def reply(self) -> dict[str, Any]:
        """All of it, for the page."""
        found = sorted(self._found.values(), key=lambda item: (item["line"], item["column"]))
        return {"findings": found, "uses": list(self._uses.values())}

    def _column(self, line: int, offset: int) -> int:
        if line > len(self._lines):
            return offset + 1
        text = self._lines[line - 1]
        if text.isascii():
            return offset + 1
        before = text.encode("utf-8", "surrogatepass")[:offset].decode("utf-8", "replace")
        return _utf16_length(before) + 1


def _utf16_length(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
