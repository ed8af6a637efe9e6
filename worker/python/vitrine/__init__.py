"""Vitrine's side of the interpreter: the names that session code sees, and how it is run.

Session code imports the error classes from here (``from vitrine import ToolTimeoutError``) and
``tool``, which makes a function a tool of the session.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

# First, since it is for the rest.
from vitrine import _own_builtins  # noqa: F401  # pyright: ignore[reportUnusedImport]

# isort: split
from vitrine import _errors
from vitrine._content import Content
from vitrine._errors import *  # noqa: F403  # Its `__all__` is the one list of them.
from vitrine._tools import tool

if TYPE_CHECKING:
    from vitrine._runner import Interpreter

__all__: list[str] = ["Content", "create_interpreter", "tool"]
__all__ += _errors.__all__


def create_interpreter(trust: str, lockfile_imports: dict[str, str]) -> Interpreter:
    """Make the interpreter of a session; called once, by the executor worker."""
    from vitrine._host import Host
    from vitrine._runner import Interpreter

    return Interpreter(Host(), trust=trust, lockfile_imports=lockfile_imports)
