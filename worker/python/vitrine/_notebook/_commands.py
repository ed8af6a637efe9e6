"""Commands as they stand behind ``!``."""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Mapping
from typing import Any

from vitrine._errors import ToolCallError, ToolUnavailableError
from vitrine._tools import ToolsNamespace

_WORKSPACE = "/workspace"
_VARIABLE = re.compile(r"\{(?P<braced>[A-Za-z_]\w*)\}|(?<!\\)\$(?P<plain>[A-Za-z_]\w*)\b")


class Commands:
    """Runs commands by the session's tool ``shell``, so that its rules and approvals hold."""

    def __init__(self, tools: ToolsNamespace) -> None:
        self._tools = tools

    def show(self, command: str, names: Mapping[str, object]) -> None:
        """Run a command and print what it writes; one that fails says with which code."""
        text, exit_code = self._run(command, names)
        sys.stdout.write(text)
        if exit_code:
            sys.stdout.write("" if text.endswith("\n") or not text else "\n")
            print(f"[exit code {exit_code}]", file=sys.stderr)

    def lines(self, command: str, names: Mapping[str, object]) -> list[str]:
        """Run a command and return the lines that it writes."""
        text, _ = self._run(command, names)
        return text.splitlines()

    def _run(self, command: str, names: Mapping[str, object]) -> tuple[str, int]:
        run = self._script_tool()
        try:
            written = run(script=_script(_with_variables(command, names)))
        except ToolCallError as error:
            if error.exit_code is None:
                raise
            stderr = getattr(error, "stderr", "")
            return f"{error.stdout}{stderr if isinstance(stderr, str) else ''}", error.exit_code
        return written if isinstance(written, str) else os.fsdecode(written), 0

    def _script_tool(self) -> Any:
        try:
            return self._tools["shell"].run.call_sync
        except KeyError, AttributeError:
            raise ToolUnavailableError(
                "`!` runs a command by the tool `shell`, and this session has none. The page can "
                "open the session with one: a command tool whose recipe `run` takes a `script`. "
                "Until then use Python: os.listdir(), open(), shutil."
            ) from None


def _script(command: str) -> str:
    folder = os.getcwd()
    quoted = shlex.quote(folder)
    # The shell hears of files only, and not of a folder that is empty.
    start = "" if folder == _WORKSPACE else f"mkdir -p {quoted} && cd {quoted} || exit 1\n"
    # As in a terminal, what goes wrong is read among the rest.
    return f"{start}{{\n{command}\n}} 2>&1"


def _with_variables(command: str, names: Mapping[str, object]) -> str:
    """Put Python's variables in: ``{name}`` and ``$name``. Other names are the shell's."""

    def value(match: re.Match[str]) -> str:
        name = match["braced"] or match["plain"]
        return str(names[name]) if name in names else match.group()

    return _VARIABLE.sub(value, command)


__all__ = ["Commands"]
