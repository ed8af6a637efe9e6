"""How an error that the page reported becomes an exception."""

from __future__ import annotations

import builtins
from collections.abc import Mapping
from typing import Any, cast

from vitrine._errors import (
    PUBLIC_ERRORS,
    ArtifactError,
    DepsError,
    NamespaceError,
    RPCError,
    RPCTransportError,
    SkillError,
    ToolError,
)

_NAMESPACE_ERRORS: Mapping[str, type[NamespaceError]] = {
    "tools": ToolError,
    "skills": SkillError,
    "artifacts": ArtifactError,
    "deps": DepsError,
}

# The first two steer generators; the others cannot be made from a message.
_UNSUITABLE = frozenset(
    {
        "StopIteration",
        "StopAsyncIteration",
        "ExceptionGroup",
        "UnicodeDecodeError",
        "UnicodeEncodeError",
        "UnicodeTranslateError",
    }
)
# Collected now, since session code can change the builtins.
_BUILTIN_ERRORS: Mapping[str, type[Exception]] = {
    name: kind
    for name, kind in vars(builtins).items()
    if isinstance(kind, type) and issubclass(kind, Exception) and name not in _UNSUITABLE
}

# What `raise` and the traceback machinery rely on.
_RESERVED_DETAILS = frozenset({"args", "add_note", "with_traceback", "code", "details"})

# Python's own formatter fails on a SyntaxError whose line is not a number.
_SYNTAX_DETAILS: Mapping[str, tuple[str, type[Any]]] = {
    "filename": ("filename", str),
    "file": ("filename", str),
    "lineno": ("lineno", int),
    "line": ("lineno", int),
    "offset": ("offset", int),
    "column": ("offset", int),
    "end_lineno": ("end_lineno", int),
    "end_offset": ("end_offset", int),
    "text": ("text", str),
}


def error_from_wire(
    name: object,
    code: object,
    message: object,
    details: object,
    namespace: str,
    operation: str,
) -> BaseException:
    """Build the exception for an error that the page reported.

    ``name`` selects the class: one of ours, or a builtin exception such as
    ``ValueError``. Any other becomes the class of the namespace, and its message
    begins with ``namespace.operation: [name]``, that of ``input`` with ``input(): [name]``.

    Returns:
        The exception to raise; ``RPCTransportError`` when the report is malformed.
    """
    if not isinstance(name, str) or not name or not isinstance(message, str):
        return RPCTransportError(
            f"The page reported a failure of {namespace}.{operation} without a class or a message."
        )
    if not isinstance(details, Mapping | None):
        return RPCTransportError(
            f"The page reported {name} for {namespace}.{operation} with malformed details."
        )
    fields = cast("Mapping[object, object]", details or {})
    error = _make_error(name, message, namespace, operation)
    if isinstance(error, RPCError):
        error.code = code if isinstance(code, str) else ""
    if isinstance(error, NamespaceError):
        error.namespace, error.operation, error.original_type = namespace, operation, name
    _set_details(error, {key: value for key, value in fields.items() if isinstance(key, str)})
    return error


def _make_error(name: str, message: str, namespace: str, operation: str) -> Exception:
    own = PUBLIC_ERRORS.get(name)
    if own is not None:
        return own(message)
    builtin = _BUILTIN_ERRORS.get(name)
    if builtin is not None:
        return builtin(message)
    fallback = _NAMESPACE_ERRORS.get(namespace, NamespaceError)
    where = f"{namespace}.{operation}" if operation else f"{namespace}()"
    return fallback(f"{where}: [{name}] {message}")


def _set_details(error: Exception, details: Mapping[str, object]) -> None:
    if isinstance(error, RPCError):
        error.details = dict(details)
    for key, value in details.items():
        if isinstance(error, SyntaxError) and key in _SYNTAX_DETAILS:
            _set_syntax_detail(error, key, value)
        elif _may_be_set(error, key):
            setattr(error, key, value)


def _may_be_set(error: Exception, key: str) -> bool:
    if not key.isidentifier() or key.startswith("_") or key in _RESERVED_DETAILS:
        return False
    # What an error says of itself stays as it is.
    return not isinstance(getattr(type(error), key, None), property)


def _set_syntax_detail(error: SyntaxError, key: str, value: object) -> None:
    attribute, kind = _SYNTAX_DETAILS[key]
    if isinstance(value, kind):
        setattr(error, attribute, value)


__all__ = ["error_from_wire"]
