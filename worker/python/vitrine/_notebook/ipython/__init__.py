"""``IPython`` as far as notebooks use it to show things. It is none: these are names of ours."""

from __future__ import annotations

import builtins
from typing import Any

from vitrine._notebook.ipython.display import display

# Libraries ask for it before they look further.
version_info = (9, 0, 0)


def get_ipython() -> Any:
    """What carries out ``%`` and ``!`` here."""
    return builtins.get_ipython()  # pyright: ignore


__all__ = ["display", "get_ipython", "version_info"]
