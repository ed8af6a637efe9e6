"""What code has imported so far."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


def imported(module: str, name: str) -> Any:
    """What ``module`` has under ``name``; None where no code has imported the module."""
    found = sys.modules.get(module)
    # Only of plain modules: others may load something when they are asked for their names.
    return vars(found).get(name) if type(found) is ModuleType else None


def is_of(kind: type, module: str, name: str) -> bool:
    """Whether ``kind`` is a class of an imported module, or derived from it."""
    known = imported(module, name)
    return isinstance(known, type) and issubclass(kind, known)


__all__ = ["imported", "is_of"]
