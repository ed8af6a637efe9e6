"""What packages say they need: requirements and their environment markers (PEP 508)."""

from __future__ import annotations

import ast
import os
import re
import sys
from collections.abc import Iterable, Mapping
from typing import cast


class Requirement:
    """A requirement whose marker holds here.

    Attributes:
        text: Name, extras and versions, without the marker.
        name: The package's canonical name.
        extras: The optional parts that are wanted.
    """

    __slots__ = ("extras", "name", "text")

    def __init__(self, text: str) -> None:
        # Old metadata has "name (>=2)".
        self.text = re.sub(r"[()\s]", "", text)
        match = re.match(r"([A-Za-z0-9][A-Za-z0-9._-]*)(?:\[([^\]]*)\])?", self.text)
        self.name = canonical_name(match[1] if match else self.text)
        self.extras = [extra for extra in (match[2] or "").split(",") if extra] if match else []


def canonical_name(name: str) -> str:
    """The one spelling of a package's name: lower case, with hyphens."""
    return re.sub(r"[-_.]+", "-", name).lower()


def needed_here(lines: Iterable[str], extras: Iterable[str]) -> list[Requirement]:
    """Those of a package's requirements that hold in this interpreter.

    Args:
        lines: The ``Requires-Dist`` fields of its metadata.
        extras: The optional parts of it that are wanted.
    """
    wanted = {canonical_name(extra) for extra in extras} or {""}
    needed: list[Requirement] = []
    for line in lines:
        text, _, marker = line.partition(";")
        marker = marker.strip()
        if not marker or any(_marker_holds(marker, extra) for extra in wanted):
            needed.append(Requirement(text))
    return needed


def _marker_holds(marker: str, extra: str) -> bool:
    """Evaluate an environment marker; one that cannot be understood holds."""
    try:
        # `~=` and `===` are no operators of Python; for the versions named here `>=` and `==` do.
        tree = ast.parse(marker.replace("===", "==").replace("~=", ">="), mode="eval")
        return _evaluate(tree.body, {**_environment(), "extra": extra})
    except SyntaxError, KeyError, TypeError, ValueError:
        return True


def _environment() -> dict[str, str]:
    system = os.uname()
    version = sys.version_info
    return {
        "python_version": f"{version.major}.{version.minor}",
        "python_full_version": f"{version.major}.{version.minor}.{version.micro}",
        "os_name": os.name,
        "sys_platform": sys.platform,
        "platform_system": system.sysname,
        "platform_machine": system.machine,
        "platform_release": system.release,
        "platform_version": system.version,
        "implementation_name": sys.implementation.name,
        "implementation_version": f"{version.major}.{version.minor}.{version.micro}",
        "platform_python_implementation": "CPython",
    }


def _evaluate(node: ast.expr, environment: Mapping[str, str]) -> bool:
    match node:
        case ast.BoolOp(op=ast.And(), values=values):
            return all(_evaluate(value, environment) for value in values)
        case ast.BoolOp(op=ast.Or(), values=values):
            return any(_evaluate(value, environment) for value in values)
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            return _compare(_text(left, environment), operator, _text(right, environment))
        case _:
            raise ValueError("not a marker")


def _text(node: ast.expr, environment: Mapping[str, str]) -> str:
    match node:
        case ast.Name(id=name):
            return environment[name]
        case ast.Constant(value=str() as text):
            return text
        case _:
            raise ValueError("not a marker")


def _compare(left: str, operator: ast.cmpop, right: str) -> bool:
    if isinstance(operator, ast.In):
        return left in right
    if isinstance(operator, ast.NotIn):
        return left not in right
    ours, theirs = _comparable(left, right)
    match operator:
        case ast.Eq():
            return ours == theirs
        case ast.NotEq():
            return ours != theirs
        case ast.Lt():
            return ours < theirs
        case ast.LtE():
            return ours <= theirs
        case ast.Gt():
            return ours > theirs
        case ast.GtE():
            return ours >= theirs
        case _:
            raise ValueError("not a marker")


type _Comparable = tuple[int | str, ...]


def _comparable(left: str, right: str) -> tuple[_Comparable, _Comparable]:
    """Versions by their numbers, anything else as text."""
    if re.fullmatch(r"[\d.]+", left) and re.fullmatch(r"[\d.*]+", right):
        numbers = [
            [int(part) for part in text.split(".") if part.isdigit()] for text in (left, right)
        ]
        length = len(numbers[1]) if right.endswith("*") else max(map(len, numbers))
        padded = [tuple([*parts, *[0] * length][:length]) for parts in numbers]
        return cast("tuple[_Comparable, _Comparable]", (padded[0], padded[1]))
    return (left,), (right,)
