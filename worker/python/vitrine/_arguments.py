"""Checks of what session code passes, made before anything is sent."""

from __future__ import annotations


def require_text(label: str, value: object) -> None:
    """Check that an argument is a str.

    Raises:
        TypeError: It is not; ``label`` says which.
    """
    if not isinstance(value, str):
        raise TypeError(f"{label} must be str, not {type(value).__name__}")


def require_limit(label: str, value: object) -> None:
    """Check that an argument counts something.

    Raises:
        TypeError: It is no int.
        ValueError: It is negative.
    """
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{label} must be int, not {type(value).__name__}")
    if value < 0:
        raise ValueError(f"{label} must not be negative, but is {value}")
