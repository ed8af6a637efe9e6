"""Completion from the live interpreter, for the console."""

from __future__ import annotations

import builtins
import keyword
import re
import rlcompleter
from typing import Any

_WORD = re.compile(r"[\w.]*$")
_LIMIT = 200


def complete(namespace: dict[str, Any], code: str) -> dict[str, Any]:
    """Complete the name that ``code`` ends with.

    Returns:
        ``{"from": offset, "options": [{"label", "kind", "detail"}]}``, the
        offset in UTF-16 units of ``code``, as JavaScript counts.
    """
    match = _WORD.search(code)
    word = match.group() if match else ""
    head, dot, tail = word.rpartition(".")
    # Attributes are completed after the last dot, so that the editor replaces only that part.
    start = len(code[: len(code) - len(tail)].encode("utf-16-le", "surrogatepass")) // 2
    names: list[str] = []
    if dot:
        names = _attributes(namespace, head, tail)
    elif tail:
        completer = rlcompleter.Completer(namespace)
        names = [found.rstrip("( :") for found in completer.global_matches(word)]
    unique = sorted(dict.fromkeys(names), key=lambda name: (name.startswith("_"), name.lower()))
    options = [_option(namespace, head, name) for name in unique[:_LIMIT]]
    return {"from": start, "options": options}


def _attributes(namespace: dict[str, Any], head: str, tail: str) -> list[str]:
    """The attributes that begin with ``tail``, those with underscores last.

    None of them is looked at: a package may load something then, and one that fails would cost
    all the others.
    """
    value: object = eval(head, namespace)
    names: set[object] = {*dir(value), *dir(type(value))}
    found = [name for name in names if type(name) is str and name.startswith(tail)]
    public = [name for name in found if not name.startswith("_" + tail)]
    return public or found


def _option(namespace: dict[str, Any], head: str, name: str) -> dict[str, str]:
    if not head:
        if keyword.iskeyword(name) or keyword.issoftkeyword(name):
            return {"label": name, "kind": "keyword", "detail": ""}
        value = namespace.get(name, getattr(builtins, name, None))
        return {"label": name, "kind": _kind(value), "detail": type(value).__name__}
    return {"label": name, "kind": "property", "detail": ""}


def _kind(value: object) -> str:
    if isinstance(value, type):
        return "class"
    return "function" if callable(value) else "variable"
