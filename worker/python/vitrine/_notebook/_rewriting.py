"""From the lines that only notebooks know to Python.

As in IPython, such a line becomes a call of a method of ``get_ipython()``. Source that
Python can read is never touched: a line is looked at once Python has given up on it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from vitrine._source import quote_line

_MOST_LINES = 200
_CELL = re.compile(r"\s*%%(?P<name>\w+)(?P<line>.*)")
_COMMAND = re.compile(r"(?P<indent>\s*)(?P<sign>!!?|%)(?P<text>.+)")
_ASSIGNED = re.compile(
    r"(?P<indent>\s*)(?P<target>[\w\s,.*\[\]'\"]+?)\s*=\s*(?P<sign>[!%])(?P<text>.+)"
)
_ASKED_AFTER = re.compile(r"(?P<indent>\s*)(?P<name>[\w.\[\]'\"]+)(?P<marks>\?\??)\s*(?:#.*)?")
_ASKED_BEFORE = re.compile(r"(?P<indent>\s*)(?P<marks>\?\??)\s*(?P<name>[\w.\[\]'\"]+)\s*(?:#.*)?")
# What people type as they would into a terminal, and what has a meaning here.
_PLAIN = re.compile(r"(?P<indent>\s*)(?P<name>pip3?|cd)(?P<line>\s+[^\s=(,\[].*)")


def as_python[T](code: str, parse: Callable[[str], T]) -> T:
    """Parse ``code``, whose notebook lines are rewritten; lines keep their numbers.

    Args:
        code: The source.
        parse: Parses Python.

    Raises:
        SyntaxError: It is neither; the error quotes the line that was written.
    """
    source = code
    for _ in range(_MOST_LINES):
        try:
            return parse(source)
        except SyntaxError as error:
            rewritten = _without_line(source, error.lineno)
            if rewritten is None:
                quote_line(error, code)
                raise
            source = rewritten
    return parse(source)


def _without_line(source: str, number: int | None) -> str | None:
    """The source without the notebook line of that number; None when it is none."""
    lines = source.split("\n")
    if number is None or not 1 <= number <= len(lines):
        return None
    index = number - 1
    if _CELL.fullmatch(lines[index]) and _is_blank(lines[:index]):
        return "\n".join([*lines[:index], _cell(lines[index], lines[index + 1 :], index)])
    end = index
    while lines[end].endswith("\\") and end + 1 < len(lines):
        end += 1
    joined = " ".join(line.removesuffix("\\") for line in lines[index : end + 1])
    call = _call(joined)
    if call is None:
        return None
    return "\n".join([*lines[:index], call, *[""] * (end - index), *lines[end + 1 :]])


def _is_blank(lines: list[str]) -> bool:
    return all(not line.strip() or line.lstrip().startswith("#") for line in lines)


def _cell(first: str, rest: list[str], lines_before: int) -> str:
    match = _CELL.fullmatch(first)
    assert match is not None
    body = "\n".join(rest)
    # Lines before it, so that errors of the body name the lines that the author sees.
    offset = lines_before + 1
    line = match["line"].strip()
    return f"get_ipython().run_cell_magic({match['name']!r}, {line!r}, {body!r}, offset={offset})"


def _call(line: str) -> str | None:
    """The call that a notebook line stands for; None when it is none."""
    if match := _ASSIGNED.fullmatch(line):
        method = "getoutput" if match["sign"] == "!" else "run_line_magic"
        return f"{match['indent']}{match['target']} = {_invoked(method, match['text'])}"
    if match := _COMMAND.fullmatch(line):
        method = {"!": "system", "!!": "getoutput", "%": "run_line_magic"}[match["sign"]]
        return f"{match['indent']}{_invoked(method, match['text'])}"
    if match := _ASKED_AFTER.fullmatch(line) or _ASKED_BEFORE.fullmatch(line):
        magic = "pinfo2" if match["marks"] == "??" else "pinfo"
        return f"{match['indent']}get_ipython().run_line_magic({magic!r}, {match['name']!r})"
    if match := _PLAIN.fullmatch(line):
        name = match["name"].rstrip("3")
        return f"{match['indent']}{_invoked('run_line_magic', name + match['line'])}"
    return None


def _invoked(method: str, text: str) -> str:
    text = text.strip()
    if method != "run_line_magic":
        return f"get_ipython().{method}({text!r})"
    name, _, line = text.partition(" ")
    return f"get_ipython().run_line_magic({name!r}, {line.strip()!r})"


__all__ = ["as_python"]
