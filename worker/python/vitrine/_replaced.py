"""What code of the session has put in the place of Python's own parts, and of ours.

That lasts as long as the interpreter, and later runs fail of it in words about
internals. So an error says what was replaced. Nothing here uses a builtin while it looks.
"""

from __future__ import annotations

import asyncio
import builtins
import json
from collections.abc import Mapping

_MOST = 5
# Put there before every run, by every run, or by the import gate.
_CHANGING = ("_", "__import__", "display", "input", "help", "get_ipython", "exit", "quit")


class Replaced:
    """Compares modules and classes with what they were.

    Args:
        classes: Of ours, by what code calls their objects.
    """

    def __init__(self, classes: Mapping[str, type]) -> None:
        self._watched = [
            (f"{module.__name__}.", vars(module), dict(vars(module)))
            for module in (builtins, json, asyncio)
        ]
        self._watched += [
            (f"type({name}).", vars(kind), dict(vars(kind))) for name, kind in classes.items()
        ]

    def note(self) -> str | None:
        """Say what was replaced; None where nothing was."""
        text, count = "", 0
        for label, now, before in self._watched:
            for name, value in before.items():
                if name not in _CHANGING and now.get(name, None) is not value:
                    count += 1
                    if count <= _MOST:
                        text += f"{', ' if text else ''}{label}{name}"
            if label.startswith("type(") and now.keys() != before.keys():
                for name in now:
                    if name not in before:
                        count += 1
                        text += f"{', ' if text else ''}{label}{name}"
        if not text:
            return None
        more = " and more" if count > _MOST else ""
        return (
            f"Code of this session has replaced {text}{more}. That lasts as long as the "
            "interpreter: reset the session to begin with a whole one."
        )


__all__ = ["Replaced"]
