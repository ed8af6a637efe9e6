"""Modules that code imports and that are not there, so that they can be had before it runs."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from vitrine._check import is_missing
from vitrine._deps import folder_package
from vitrine._import_gate import Rules

# More than these no piece of code is taken to need.
_MOST = 20

_CAUGHT = frozenset({"ImportError", "ModuleNotFoundError", "Exception", "BaseException"})


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


__all__ = ["missing_modules"]
