"""``help()`` of session code: of a tool it shows the stub that the page writes."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Mapping
from types import ModuleType
from typing import cast, override

from vitrine._beginnings import shorten

# Python's own help of a package is a book, and takes as long to write.
_MOST_NAMES = 200
_LONGEST_TEXT = 4000
_GROUPS = ("FUNCTIONS", "CLASSES", "MODULES", "DATA")
_WIDTH = 96
_INDENT = "    "


class Help:
    """The builtin ``help``, for tools and their callables too."""

    def __call__(self, *subjects: object) -> None:
        """Print how to use a tool or a recipe; of anything else what Python knows of it."""
        explained = explanation(subjects[0]) if len(subjects) == 1 else None
        if explained is not None:
            print(explained)
            return
        match subjects:
            case [ModuleType() as module] if (summary := module_summary(module)) is not None:
                print(summary)
                return
            case _:
                pass
        # It takes long to import, and is seldom wanted.
        import pydoc

        pydoc.help(*subjects)

    @override
    def __repr__(self) -> str:
        return "help(x) explains x, for instance a tool."


def explanation(subject: object) -> str | None:
    """The text of something that explains itself; None of anything else."""
    # Looked up on the class: what the attributes of a tool are called is up to others.
    method = getattr(type(subject), "_help_text", None)
    return str(method(subject)) if callable(method) else None


def module_summary(module: ModuleType) -> str | None:
    """What a module is for, and the names in it; None for one that Python itself explains.

    Python explains those that are no installed package and have not too many names.
    """
    contents = vars(module)
    listed: object = contents.get("__all__")
    names = cast("list[object]", listed) if isinstance(listed, (list, tuple)) else None
    if names is None:
        names = [name for name in contents if not name.startswith("_")]
    known = sorted({name for name in names if type(name) is str})
    if not known or (len(known) <= _MOST_NAMES and not _is_installed_package(contents)):
        return None
    groups: dict[str, list[str]] = {}
    for name in known:
        groups.setdefault(_group_of(contents.get(name)), []).append(name)
    about = inspect.getdoc(module) or ""
    parts = [f"Help on module {module.__name__}:", shorten(about, _LONGEST_TEXT)]
    parts += [
        f"{group}\n{textwrap.indent(textwrap.fill(', '.join(groups[group]), _WIDTH), _INDENT)}"
        for group in _GROUPS
        if group in groups
    ]
    [example, *_] = [name for group in _GROUPS for name in groups.get(group, ())]
    return "\n\n".join([*parts, f"help({module.__name__}.{example}) explains one of them."])


def _is_installed_package(contents: Mapping[str, object]) -> bool:
    file = contents.get("__file__")
    return "__path__" in contents and type(file) is str and "/site-packages/" in file


def _group_of(value: object) -> str:
    if isinstance(value, ModuleType):
        return "MODULES"
    if isinstance(value, type):
        return "CLASSES"
    return "FUNCTIONS" if callable(value) else "DATA"


__all__ = ["Help", "explanation", "module_summary"]
