"""From the source of a run to what is executed."""

from __future__ import annotations

import ast
import inspect
import types
from collections.abc import Awaitable, Callable
from typing import Any, TypeGuard

from vitrine._depth import check_depth

_FLAGS = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT


def parts_of(
    code: str, filename: str, prepare: Callable[[ast.Module, str], ast.Module]
) -> tuple[types.CodeType, types.CodeType | None]:
    """Compile the code but for an expression that it ends with, and that expression.

    Args:
        code: The source.
        filename: What tracebacks call it.
        prepare: Checks the tree of the code, and may change it.

    Raises:
        SyntaxError: It is not Python.
        RecursionError: It is nested too deep.
    """
    check_depth(code)
    tree = prepare(parse(code, filename), filename)
    try:
        return _compiled_parts(tree, filename)
    except SyntaxError as error:
        quote_line(error, code)
        raise


def quote_line(error: SyntaxError, code: str) -> None:
    """Have the error show the line as its author wrote it: a tree knows none."""
    lines = code.split("\n")
    if error.lineno is not None and 1 <= error.lineno <= len(lines):
        error.text = lines[error.lineno - 1]


def _compiled_parts(
    tree: ast.Module, filename: str
) -> tuple[types.CodeType, types.CodeType | None]:
    last = tree.body[-1] if tree.body else None
    if not isinstance(last, ast.Expr):
        return _compile(tree, filename, "exec"), None
    tree.body.pop()
    # Both before either runs: an error in the last line stops the run before it began.
    first = _compile(tree, filename, "exec")
    return first, _compile(ast.Expression(last.value), filename, "eval")


def parse(code: str, filename: str) -> ast.Module:
    """Read Python, and where it is none the lines that notebooks know (``!ls``).

    Raises:
        SyntaxError: It is neither.
    """
    try:
        return _read(code, filename)
    except SyntaxError:
        # Most interpreters never need it.
        from vitrine._notebook._rewriting import as_python
    return as_python(code, lambda source: _read(source, filename))


def is_awaitable(value: object) -> TypeGuard[Awaitable[object]]:
    """Whether the value of a run is a coroutine, or a future of ``asyncio``.

    The functions of the standard library ask builtins, which code may have replaced.
    """
    kind = type(value)
    return kind is types.CoroutineType or hasattr(kind, "_asyncio_future_blocking")


def is_coroutine(code: types.CodeType) -> bool:
    """Whether the code awaits at its top level."""
    return bool(code.co_flags & inspect.CO_COROUTINE)


def _read(code: str, filename: str) -> ast.Module:
    return _compile(code, filename, "exec", ast.PyCF_ONLY_AST)


def _compile(
    source: str | ast.Module | ast.Expression, filename: str, mode: str, more: int = 0
) -> Any:
    # What this module imports from __future__ is none of session code's business.
    return compile(source, filename, mode, _FLAGS | more, dont_inherit=True)
