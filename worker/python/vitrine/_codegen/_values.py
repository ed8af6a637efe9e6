"""What a generated program hands in, made plain: JSON, or an error that names the place."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import math
import os
import uuid
from collections.abc import Mapping
from typing import Any, cast

from vitrine._packages import package_form
from vitrine._plain_forms import Refusal

_DEEPEST = 60
# JSON of the page holds whole numbers up to here without loss.
_LARGEST_INT = 2**53 - 1


def plain_json(value: object, label: str, depth: int = 0) -> Any:
    """Copy ``value`` as plain JSON.

    Sets and tuples become lists, dates their ISO text, paths and UUIDs text, and whole numbers
    of more than 53 bits their digits. Numbers, arrays and tables of NumPy and pandas become
    what they are as arguments of a tool.

    Raises:
        TypeError: Something in it has no such form; the message begins with ``label``.
    """
    if depth > _DEEPEST:
        raise TypeError(f"{label} is nested too deep, or holds itself")
    form = package_form(value, type(value))
    if isinstance(form, Refusal):
        raise TypeError(f"{label}: {form.reason}")
    if form is not None:
        return plain_json(form.value, label, depth + 1)
    if isinstance(value, enum.Enum):
        return plain_json(value.value, label, depth + 1)
    if isinstance(value, int) and not -_LARGEST_INT <= value <= _LARGEST_INT:
        return str(value)
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise TypeError(f"{label} is {value!r}, which JSON cannot hold")
        return value
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, (os.PathLike, uuid.UUID, datetime.timedelta)):
        return str(cast("object", value))
    if isinstance(value, decimal.Decimal):
        return plain_json(float(value), label, depth + 1)
    return _plain_collection(value, label, depth)


def _plain_collection(value: object, label: str, depth: int) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = [field.name for field in dataclasses.fields(value)]
        return {
            name: plain_json(getattr(value, name), f"{label}.{name}", depth + 1) for name in fields
        }
    if isinstance(value, Mapping):
        items = cast("Mapping[object, object]", value).items()
        return {
            _key(key, label): plain_json(item, f"{label}[{key!r}]", depth + 1)
            for key, item in items
        }
    if isinstance(value, (list, tuple)):
        sequence = cast("list[object]", value)
        return [
            plain_json(item, f"{label}[{index}]", depth + 1) for index, item in enumerate(sequence)
        ]
    if isinstance(value, (set, frozenset)):
        members = sorted(cast("set[object]", value), key=repr)
        return [plain_json(item, label, depth + 1) for item in members]
    hint = ": write it to a file under OUTPUT_DIR" if isinstance(value, (bytes, bytearray)) else ""
    raise TypeError(f"{label} is of type {type(value).__name__}, which JSON cannot hold{hint}")


def _key(key: object, label: str) -> str:
    if isinstance(key, str):
        return key
    if key is None or isinstance(key, (bool, int, float)):
        return str(key)
    plain = plain_json(key, f"a key of {label}")
    if isinstance(plain, str):
        return plain
    raise TypeError(f"a key of {label} is of type {type(key).__name__}, which JSON cannot hold")


__all__ = ["plain_json"]
