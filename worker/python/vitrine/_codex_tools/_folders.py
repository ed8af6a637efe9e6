"""Paths of calls: code writes them as seen from its current folder, tools take them whole."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import PurePath

from vitrine._records import ToolParameter

_PATHS = frozenset({"file_path", "dir_path", "path", "workdir"})


def resolve_paths(
    arguments: dict[str, object], parameters: Iterable[ToolParameter]
) -> dict[str, object]:
    """The arguments with whole paths; a folder that may be left out is the current one."""
    named = [item for item in parameters if item.name in _PATHS]
    if not named:
        return arguments
    try:
        here = os.getcwd()
    except OSError:
        # The folder is gone. The tool says what it makes of the path.
        return arguments
    resolved = dict(arguments)
    for item in named:
        value = arguments.get(item.name)
        if isinstance(value, PurePath):
            value = str(value)
        if value is None or value == "":
            if not item.required:
                resolved[item.name] = here
        elif isinstance(value, str):
            is_whole = value.startswith("/")
            resolved[item.name] = value if is_whole else os.path.normpath(os.path.join(here, value))
    return resolved


__all__ = ["resolve_paths"]
