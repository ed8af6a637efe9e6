"""Runs of generated programs: the header's names, and the program made ready."""

from __future__ import annotations

import ast
from typing import Any

from vitrine._codegen._header import Header
from vitrine._codegen._program import prepare_program
from vitrine._operation import Caller
from vitrine._tools import ToolsNamespace


class CodegenHelpers:
    """Helpers of a program's run. Each run has a header of its own."""

    def __init__(self, bridge: Caller, tools: ToolsNamespace) -> None:
        self._bridge = bridge
        self._tools = tools
        self._names: dict[str, object] = {}

    @property
    def names(self) -> dict[str, object]:
        """The names of the header."""
        return self._names

    @property
    def offered(self) -> dict[str, object]:
        """Nothing beside its names."""
        return {}

    def begin(self, options: dict[str, Any]) -> None:
        """Make the folder of the output, and a header that nothing was said in yet."""
        self._names = Header(self._bridge, self._tools, options).names

    def prepare(self, tree: ast.Module) -> ast.Module:
        """Let the program ``await`` and ``return`` at its top."""
        return prepare_program(tree)

    def answer(self) -> None:
        """Nothing: what the program says is told at once."""

    def memory(self) -> None:
        """Nothing: a program is a task of one run."""


__all__ = ["CodegenHelpers"]
