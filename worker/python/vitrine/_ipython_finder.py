"""Finds our ``IPython`` where the package itself is not installed."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType

_FOLDER = os.path.join(os.path.dirname(__file__), "_notebook", "ipython")


class IPythonFinder:
    """Stands last on ``sys.meta_path``."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find ``IPython``; its modules are then found in its folder."""
        if name != "IPython":
            return None
        start = os.path.join(_FOLDER, "__init__.py")
        return importlib.util.spec_from_file_location(
            name, start, submodule_search_locations=[_FOLDER]
        )


def install_finder() -> None:
    """Have ``from IPython.display import HTML`` work."""
    if IPythonFinder not in sys.meta_path:
        sys.meta_path.append(IPythonFinder)


__all__ = ["install_finder"]
