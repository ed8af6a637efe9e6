"""What objects of the standard library are in plain words, where that is obvious.

An argument of a tool is JSON in the end: a path is its text, a range the list of its
numbers. Their classes are known by name, so that none of their modules is imported here.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

_LONGEST = 1_000_000


class PlainForm(NamedTuple):
    """The value that takes an object's place."""

    value: object


class Refusal(NamedTuple):
    """Why an object has no plain form, and what to hand over in its place."""

    reason: str


def plain_form(value: object) -> PlainForm | None:
    """The plain form of ``value``; None where it has none, or none without a loss."""
    for known in type(value).__mro__:
        convert = _FORMS.get((known.__module__, known.__qualname__))
        if convert is not None:
            return convert(value)
    return None


def _listed(value: Any) -> PlainForm | None:
    return PlainForm(list(value)) if len(value) <= _LONGEST else None


def _number(value: Any) -> PlainForm | None:
    if value == value.to_integral_value():
        return PlainForm(int(value))
    # As a person reads the two: 0.1 is 0.1, and thirty digits are no float.
    number = float(value)
    return PlainForm(number) if type(value)(repr(number)) == value else None


_FORMS: Mapping[tuple[str, str], Callable[[Any], PlainForm | None]] = {
    ("array", "array"): _listed,
    ("builtins", "dict_items"): _listed,
    ("builtins", "dict_keys"): _listed,
    ("builtins", "dict_values"): _listed,
    ("builtins", "mappingproxy"): lambda value: PlainForm(dict(value)),
    ("builtins", "range"): _listed,
    ("collections", "ChainMap"): lambda value: PlainForm(dict(value)),
    ("collections", "UserDict"): lambda value: PlainForm(dict(value)),
    ("collections", "UserList"): _listed,
    ("collections", "UserString"): lambda value: PlainForm(str(value)),
    ("collections", "deque"): _listed,
    ("decimal", "Decimal"): _number,
    ("pathlib", "PurePath"): lambda value: PlainForm(os.fspath(value)),
    ("uuid", "UUID"): lambda value: PlainForm(str(value)),
}

__all__ = ["PlainForm", "Refusal", "plain_form"]
