"""The names of variables that the page may be told of."""

from __future__ import annotations

import keyword
from collections.abc import Iterable

from vitrine._check._world import NAMESPACES

_LONGEST = 200
_MOST = 2000


def plain_names(names: Iterable[str]) -> list[str]:
    """The variables that code made, by names that can be written."""
    made = [
        name
        for name in names
        if name.isidentifier()
        and not keyword.iskeyword(name)
        and not name.startswith("__")
        and name not in NAMESPACES
    ]
    return [name for name in made if len(name) <= _LONGEST][:_MOST]


__all__ = ["plain_names"]
