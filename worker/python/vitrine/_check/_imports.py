"""Which imports cannot work here, and what to use instead."""

from __future__ import annotations

import importlib.machinery
import sys
from collections.abc import Mapping
from typing import cast

from vitrine._check._network_calls import NO_NETWORK
from vitrine._check._world import World
from vitrine._deps import import_hint
from vitrine._network import NETWORK_PACKAGES

# They look for files and say what is there. Others may run code of the session.
_KNOWN_FINDERS = frozenset(
    {
        ("_frozen_importlib", "BuiltinImporter"),
        ("_frozen_importlib", "FrozenImporter"),
        ("_frozen_importlib_external", "PathFinder"),
        ("_pyodide._importhook", "JsFinder"),
        ("_pyodide._importhook", "WindowsToLinuxPathFinder"),
        ("vitrine._codex_tools._module", "CodexToolsFinder"),
        ("vitrine._ipython_finder", "IPythonFinder"),
        ("vitrine._micropip", "MicropipFinder"),
        ("vitrine._own_builtins", "PackageFinder"),
    }
)

# Of the standard library, what this Pyodide leaves out. The rest is there, and looking for it would
# compile it: its loader does that to tell whether it can.
_LEFT_OUT = frozenset(
    {
        "curses",
        "dbm",
        "ensurepip",
        "grp",
        "idlelib",
        "lib2to3",
        "msvcrt",
        "nt",
        "pwd",
        "pydoc_data",
        "readline",
        "resource",
        "syslog",
        "tkinter",
        "turtle",
        "turtledemo",
        "venv",
        "winreg",
        "winsound",
    }
)

_WITH_PYODIDE = "Without it: `await pyodide.http.pyfetch(url)`."
_NUMBERS = "Without it: `statistics`, `math`, `fractions` and lists."
_TABLES = "Without it: `csv`, `collections` and lists of dicts."
_PICTURES = (
    "Without it: write SVG text, and `display` an object with `_repr_svg_` or save an artifact."
)
_INSTEAD: Mapping[str, str] = {
    "numpy": _NUMBERS,
    "scipy": _NUMBERS,
    "pandas": _TABLES,
    "polars": _TABLES,
    "matplotlib": _PICTURES,
    "seaborn": _PICTURES,
    "plotly": _PICTURES,
    "yaml": "Without it: `json`, or `tomllib` to read TOML.",
    "bs4": "Without it: `html.parser`.",
    "lxml": "Without it: `xml.etree.ElementTree`.",
    "dateutil": "Without it: `datetime.fromisoformat` and `zoneinfo`.",
    "pytz": "Without it: `zoneinfo`.",
    "tkinter": "Show things with `display(…)`.",
    "turtle": "Draw SVG text and `display` it.",
}


def is_missing(module: str) -> bool:
    """Whether nothing that Python knows of provides the top-level module ``module``."""
    if module in sys.modules:
        return False
    if module in sys.stdlib_module_names and module not in _LEFT_OUT:
        return False
    finders = list(sys.meta_path)
    if any(_kind(finder) not in _KNOWN_FINDERS for finder in finders):
        return False
    return all(_finds_nothing(finder, module) for finder in finders)


def missing_submodule(module: str) -> str | None:
    """The first part of a dotted module that its loaded package does not have."""
    parts = module.split(".")
    for count in range(1, len(parts)):
        package = sys.modules.get(".".join(parts[:count]))
        path: object = getattr(package, "__path__", None)
        if package is None or ".".join(parts[: count + 1]) in sys.modules:
            continue
        if parts[0] not in sys.stdlib_module_names:
            return None
        if not isinstance(path, list):
            return ".".join(parts[: count + 1])
        full = ".".join(parts[: count + 1])
        if importlib.machinery.PathFinder.find_spec(full, cast("list[str]", path)) is None:
            return full
        return None
    return None


def advice(module: str, world: World) -> str:
    """What to use instead of a module that is not there."""
    surroundings = world.surroundings
    if module in NETWORK_PACKAGES and surroundings.trust != "local":
        return NO_NETWORK
    lines = [_WITH_PYODIDE if module in NETWORK_PACKAGES else _INSTEAD.get(module, "")]
    if module not in surroundings.lockfile_imports and module not in sys.stdlib_module_names:
        meant = world.suggest(module, sys.stdlib_module_names)
        if meant is not None:
            lines.append(f"Did you mean `{meant}`?")
    hint = import_hint(module, surroundings.lockfile_imports, surroundings.trust)
    return " ".join(line for line in [*lines, hint] if line)


def _kind(finder: object) -> tuple[str, str]:
    named = finder if isinstance(finder, type) else type(finder)
    module = named.__dict__.get("__module__", "builtins")
    return (module if isinstance(module, str) else "", named.__name__)


def _finds_nothing(finder: object, module: str) -> bool:
    find_spec = getattr(finder, "find_spec", None)
    return find_spec is None or find_spec(module, None) is None
