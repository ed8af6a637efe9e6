"""Modules that code imports and that are not there, so that they can be had before it runs."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping

from vitrine._check import is_missing
from vitrine._deps import folder_package, provide
from vitrine._import_gate import Rules
from vitrine._operation import Caller

# More than these no piece of code is taken to need.
_MOST = 20

_CAUGHT = frozenset({"ImportError", "ModuleNotFoundError", "Exception", "BaseException"})


class AutoInstall:
    """Has the page provide, before code runs, what it imports and what is not there."""

    def __init__(self, bridge: Caller, lockfile_imports: Mapping[str, str]) -> None:
        self._bridge = bridge
        self._lockfile_imports = lockfile_imports
        self._rules: Rules | None = None
        self._is_on = False
        self._wanted: list[dict[str, str]] = []

    def begin(self, rules: Rules | None, *, is_on: bool) -> None:
        """Begin a run under these rules."""
        self._rules, self._is_on, self._wanted = rules, is_on, []

    def look_at(self, tree: ast.Module) -> None:
        """Note what the code is going to import."""
        if self._is_on:
            self._wanted = missing_modules(tree, self._rules, self._lockfile_imports)

    def provide(self) -> None:
        """Ask the page for what was noted. What it did not install is said on standard error."""
        wanted, self._wanted = self._wanted, []
        if not wanted:
            return
        for notice in provide(self._bridge, wanted):
            print(notice, file=sys.stderr)


def missing_modules(
    tree: ast.Module, rules: Rules | None, lockfile_imports: Mapping[str, str]
) -> list[dict[str, str]]:
    """Find the modules that the code certainly wants, each with the package that may bring it.

    An import whose failure is caught is optional, and nothing is installed for it.
    """
    found: dict[str, str] = {}
    for name in _imported(tree):
        module = name.partition(".")[0]
        if module in found or (rules is not None and not rules.permits(name)):
            continue
        package = folder_package(module, lockfile_imports)
        if package is not None and is_missing(module):
            found[module] = package
    return [{"module": module, "package": package} for module, package in found.items()][:_MOST]


def _imported(tree: ast.AST) -> Iterator[str]:
    """Walk without recursion: code may be nested as deep as the parser lets it."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        match node:
            case ast.Import():
                yield from (alias.name for alias in node.names)
            case ast.ImportFrom(level=0, module=str(module)):
                yield module
            case ast.Try() if any(_catches(handler) for handler in node.handlers):
                waiting.extend([*node.handlers, *node.orelse, *node.finalbody])
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                waiting.extend(node.orelse)
            case _:
                waiting.extend(ast.iter_child_nodes(node))


def _catches(handler: ast.ExceptHandler) -> bool:
    caught = handler.type
    kinds = caught.elts if isinstance(caught, ast.Tuple) else [caught]
    return any(
        kind is None or (isinstance(kind, ast.Name) and kind.id in _CAUGHT) for kind in kinds
    )


__all__ = ["AutoInstall", "missing_modules"]
