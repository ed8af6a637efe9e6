"""Builtins of our own, which stay whatever code does to the module ``builtins``.

A function looks its builtins up where the module that it is defined in found them. So our
modules find a copy: `builtins.len = None` of one run is not to end every later one. Imported
before the rest of the package.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import ModuleType
from typing import override

_OWN = dict(vars(builtins))
# What is defined from here on, too.
globals()["__builtins__"] = _OWN


class _Loader(SourceFileLoader):
    @override
    def exec_module(self, module: ModuleType) -> None:
        module.__dict__["__builtins__"] = _OWN
        super().exec_module(module)


class PackageFinder:
    """Finds the modules of this package."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not name.startswith("vitrine."):
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and spec.origin is not None:
            spec.loader = _Loader(name, spec.origin)
        return spec


sys.meta_path.insert(0, PackageFinder)
