"""``%pip``, on the session's packages."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

from vitrine._deps import DepsNamespace

# They say how pip is to go about it; here there is one way.
_FLAGS = frozenset(
    {
        "-q",
        "-qq",
        "--quiet",
        "-U",
        "--upgrade",
        "--user",
        "-y",
        "--yes",
        "--no-cache-dir",
        "--disable-pip-version-check",
        "--pre",
        "--break-system-packages",
    }
)
_KNOWN = "%pip install NAME, %pip uninstall NAME, %pip list"


def pip(line: str, deps: DepsNamespace) -> None:
    """Do what ``pip`` would, as far as a session has packages.

    Raises:
        ValueError: It is not among what can be done here.
        DepsError: A package cannot be had; the message says why.
    """
    command, *arguments = shlex.split(line, comments=True) or [""]
    match command:
        case "install":
            for package in _packages(arguments):
                result = deps.add.call_sync(package)
                print(f"{'Installed' if result['installed'] else 'Already there:'} {package}")
        case "uninstall":
            for package in _packages(arguments):
                found = deps.remove.call_sync(package)
                print(f"{'Removed' if found else 'Was not installed:'} {package}")
        case "list" | "freeze":
            print("\n".join(deps.list.call_sync()) or "No packages.")
        case _:
            raise ValueError(f"%pip {command} means nothing here. There are: {_KNOWN}.")


def _packages(arguments: list[str]) -> Iterator[str]:
    waiting = iter(arguments)
    for argument in waiting:
        if argument in {"-r", "--requirement"}:
            text = Path(next(waiting, "requirements.txt")).read_text()
            stripped = (line.partition("#")[0].strip() for line in text.splitlines())
            yield from (line for line in stripped if line)
        elif not argument.startswith("-"):
            yield argument
        elif argument not in _FLAGS:
            raise ValueError(
                f"%pip does not know {argument}: packages come from this session's own sources."
            )


__all__ = ["pip"]
