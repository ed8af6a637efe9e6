"""Where code may leave its path: what ends it, and what catches what goes wrong."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from vitrine._check._scopes import Function, own_nodes
from vitrine._check._world import World

COMPOUND = (
    ast.If,
    ast.For,
    ast.AsyncFor,
    ast.While,
    ast.Try,
    ast.TryStar,
    ast.With,
    ast.AsyncWith,
    ast.Match,
)
"""Statements that hold others."""

_EXITS = frozenset({"exit", "quit", "SystemExit"})
_BROAD = frozenset({"Exception", "BaseException", ""})
_LEAVING = (ast.Return, ast.Raise, ast.Break, ast.Continue)


def caught_by(handlers: Sequence[ast.ExceptHandler]) -> frozenset[str]:
    """The names of the exceptions that are caught; broad ones say nothing of what is expected."""
    caught: set[str] = set()
    for handler in handlers:
        kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        for kind in kinds:
            match kind:
                case ast.Name(id=name) | ast.Attribute(attr=name):
                    caught.add(name)
                case _:
                    pass
    return frozenset(caught - _BROAD)


def may_leave(statement: ast.stmt) -> bool:
    """Whether what follows a statement may be skipped on purpose: an early return, an exit."""
    if not isinstance(statement, COMPOUND):
        return False
    return any(
        isinstance(node, _LEAVING) or (isinstance(node, ast.expr) and is_exit(node))
        for node in own_nodes([statement])
    )


def may_exit(function: Function) -> bool:
    """Whether a call of ``function`` may end the run."""
    return any(
        isinstance(node, ast.Raise) or (isinstance(node, ast.expr) and is_exit(node))
        for node in own_nodes(function.body)
    )


def is_exit(node: ast.expr) -> bool:
    """Whether ``node`` ends the run."""
    match node:
        case ast.Call(func=ast.Name(id=name)):
            return name in _EXITS
        case ast.Call(func=ast.Attribute(attr="exit" | "_exit" | "abort")):
            return True
        case _:
            return False


def is_endless(node: ast.While) -> bool:
    """Whether what follows a loop is never reached."""
    if not (isinstance(node.test, ast.Constant) and node.test.value):
        return False
    return not any(isinstance(part, ast.Break) for part in own_nodes(node.body))


def opens_file(node: ast.expr, world: World) -> bool:
    """Whether ``node`` is a call of Python's own ``open``."""
    match node:
        case ast.Call(func=ast.Name(id="open")):
            return world.is_builtin("open")
        case _:
            return False
