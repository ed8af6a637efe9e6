"""JSON for the page, read and written by C code alone.

The functions of ``json`` ask builtins, in whose place code of the session may have put others.
"""

from __future__ import annotations

import importlib
from json import JSONDecoder
from typing import Any, NoReturn

_json: Any = importlib.import_module("_json")
_scan: Any = _json.make_scanner(JSONDecoder())


def read_json(text: str) -> Any:
    """Read what the page wrote.

    Raises:
        ValueError: It is no JSON.
    """
    try:
        value, end = _scan(text, 0)
    except StopIteration as error:
        raise ValueError("There is no value.") from error
    if end != len(text):
        raise ValueError(f"Something comes after the value, at {end}.")
    return value


def write_json(value: object) -> str:
    """Write plain data, which does not hold itself.

    Raises:
        TypeError: It is no plain data.
        ValueError: A number in it is not finite.
    """
    return "".join(_write(value, 0))


def _refuse(value: object) -> NoReturn:
    raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")


_write: Any = _json.make_encoder(
    None, _refuse, _json.encode_basestring_ascii, None, ":", ",", False, False, False
)

__all__ = ["read_json", "write_json"]
