"""Checks one piece of code."""

from __future__ import annotations

import ast
import re
import warnings
from typing import Any

from vitrine._check._findings import Findings
from vitrine._check._imports import is_missing
from vitrine._check._network_calls import NO_NETWORK, network_calls
from vitrine._check._walk import TooDeepError, Walker
from vitrine._check._world import Surroundings, World
from vitrine._depth import is_too_deep
from vitrine._import_gate import refused_imports
from vitrine._network import NETWORK_PACKAGES
from vitrine._source import parse

_FLAGS = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
_LONGEST = 100_000
_NO_CELL = "A file is a module: commands with ! and %, and top-level await, are for cells alone."
# What people type into terminals, where more follows it than a name.
_SHELL_LINE = re.compile(
    r"(ls|ll|cat|head|tail|mkdir|rm|cp|mv|touch|grep|curl|wget|git|echo|find|sort|wc)\s+[^\s=(,.\[]"
)


def check(
    code: str, filename: str, surroundings: Surroundings, *, is_module: bool = False
) -> dict[str, Any]:
    """Find what is wrong with ``code``. None of it is run.

    Args:
        code: What is looked at.
        filename: How messages call it.
        surroundings: What it would find.
        is_module: Whether it is the text of a file, which has no line of a notebook and no
            ``await`` outside of functions.

    Returns:
        ``{"findings": […], "uses": […]}``; the page judges the uses of tools, and whether
        a module or a skill that is missing here exists there.
    """
    findings = Findings(code)
    if len(code) > _LONGEST:
        _not_checked(findings, f"it is longer than {_LONGEST:,} characters")
        return findings.reply()
    if is_too_deep(code):
        _not_checked(findings, "it is nested too deep")
        return findings.reply()
    tree = _parse(code, filename, findings, is_module=is_module)
    if tree is None:
        return findings.reply()
    try:
        _check_gate(tree, filename, surroundings, findings)
        Walker(tree, findings, World(tree, surroundings)).walk()
        _check_network(tree, code, surroundings, findings)
    except TooDeepError, RecursionError, MemoryError:
        _not_checked(findings, "it is nested too deep")
    return findings.reply()


def _parse(code: str, filename: str, findings: Findings, *, is_module: bool) -> ast.Module | None:
    try:
        with warnings.catch_warnings(record=True) as doubts:
            warnings.simplefilter("always", SyntaxWarning)
            # Compiled as well, for what only the compiler finds: a `return` outside of a function.
            tree = _compiled_module(code, filename) if is_module else _compiled_cell(code, filename)
    except SyntaxError as error:
        span = findings.span_at(error.lineno or 1, error.offset or 1)
        findings.add(
            "error",
            "SYNTAX",
            error.msg,
            span=span,
            python_type=type(error).__name__,
            suggestion=_NO_CELL if is_module and _is_cell(code, filename) else _repair(error),
        )
        return None
    except RecursionError, MemoryError, ValueError, OverflowError:
        _not_checked(findings, "Python's parser gives up on it")
        return None
    for doubt in doubts:
        if issubclass(doubt.category, SyntaxWarning):
            findings.add(
                "warning",
                "SYNTAX_WARNING",
                str(doubt.message),
                span=findings.span_at(doubt.lineno, 1),
                python_type="SyntaxWarning",
            )
    return tree


def _compiled_cell(code: str, filename: str) -> ast.Module:
    tree = parse(code, filename)
    compile(tree, filename, "exec", _FLAGS)
    return tree


def _compiled_module(code: str, filename: str) -> ast.Module:
    tree = ast.parse(code, filename)
    compile(tree, filename, "exec", dont_inherit=True)
    return tree


def _is_cell(code: str, filename: str) -> bool:
    try:
        _compiled_cell(code, filename)
    except SyntaxError, ValueError, RecursionError, MemoryError, OverflowError:
        return False
    return True


def _check_gate(
    tree: ast.Module, filename: str, surroundings: Surroundings, findings: Findings
) -> None:
    """What the gate refuses ends the run before it begins, also where it is never reached."""
    rules = surroundings.rules
    if rules is None:
        return
    for module, line, message in refused_imports(tree, rules):
        allowed = "no module" if not rules.allowed else ", ".join(sorted(rules.allowed))
        suggestion = f"This session may import {allowed}."
        if rules.allowed is None:
            suggestion = (
                "Code of this session reaches neither JavaScript nor the machine; "
                "use the session's tools."
            )
        findings.add(
            "error",
            "IMPORT_REFUSED",
            f"{message} not allowed",
            span=findings.span_at(line, 1),
            python_type="ImportNotAllowedError",
            suggestion=suggestion,
            refused=module,
        )


def _check_network(
    tree: ast.Module, code: str, surroundings: Surroundings, findings: Findings
) -> None:
    if surroundings.trust == "local":
        return
    for call, name in network_calls(tree, code):
        package = name.partition(".")[0]
        if package in NETWORK_PACKAGES and is_missing(package):
            # That is found where it is imported.
            continue
        findings.add(
            "warning",
            "NO_NETWORK",
            f"{name}() needs a network",
            span=findings.span_of(call.func),
            python_type="OSError",
            suggestion=NO_NETWORK,
            network=True,
        )


def _not_checked(findings: Findings, why: str) -> None:
    findings.add(
        "warning",
        "NOT_CHECKED",
        f"The code was not checked whole: {why}.",
        span=findings.span_at(1, 1),
        python_type="Warning",
    )


def _repair(error: SyntaxError) -> str:
    text = (error.text or "").strip()
    if _SHELL_LINE.match(text):
        return f"A command of the shell is written `!{text}`."
    if text.startswith("```"):
        return "Leave out the fences: only the Python between them is code."
    if "never closed" in error.msg or "EOF" in error.msg or "unterminated" in error.msg:
        return "Close it; if the text was cut off, write less in one piece."
    if isinstance(error, IndentationError):
        return "Indent each block by four spaces, no tabs."
    return "Correct this line."
