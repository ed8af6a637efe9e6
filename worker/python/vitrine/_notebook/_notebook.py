"""``get_ipython()`` of session code: what the lines of notebooks call."""

from __future__ import annotations

import builtins
import contextlib
import inspect
import io
import os
import runpy
import shlex
import sys
import time
import timeit
from collections.abc import Callable, Mapping
from pathlib import Path
from types import FrameType
from typing import Any, Protocol

from vitrine._check import NAMESPACES
from vitrine._namespaces import Namespaces
from vitrine._notebook._commands import Commands
from vitrine._notebook._packages import pip

_WORKSPACE = "/workspace"
# Of the shell, by the names that notebooks have for it.
_SHELL: Mapping[str, str] = {
    "ls": "ls",
    "cat": "cat",
    "mkdir": "mkdir",
    "rmdir": "rmdir",
    "rm": "rm",
    "cp": "cp",
    "mv": "mv",
    "head": "head",
    "tail": "tail",
    "grep": "grep",
    "wc": "wc",
    "ll": "ls -l",
}
# They set up what is there from the start, or what nothing here has.
_SET_UP = frozenset({"matplotlib", "load_ext", "reload_ext", "autoreload", "config", "precision"})


class Executes(Protocol):
    """Runs source in the session's namespace, as if it were the code of the run."""

    def __call__(self, code: str, filename: str) -> object: ...


class Notebook:
    """Carries out what notebooks write beside Python."""

    def __init__(
        self,
        namespaces: Namespaces,
        variables: dict[str, Any],
        execute: Executes,
        explain: Callable[[object], None],
    ) -> None:
        self._namespaces = namespaces
        self._commands = Commands(namespaces.tools)
        self._variables = variables
        self._execute = execute
        self._explain = explain
        self._lines: dict[str, Callable[[str], object]] = {
            "pip": lambda line: pip(line, namespaces.deps),
            "time": self._time,
            "timeit": self._timeit,
            "pinfo": self._pinfo,
            "pinfo2": self._pinfo2,
            "cd": _cd,
            "pwd": lambda _line: os.getcwd(),
            "run": self._run_file,
            "who": self._who,
            "whos": self._whos,
        }
        self._cells: dict[str, Callable[[str, str, int], object]] = {
            "time": self._time_cell,
            "timeit": self._timeit_cell,
            "capture": self._capture_cell,
            "bash": self._shell_cell,
            "sh": self._shell_cell,
            "writefile": _write_cell,
        }

    def system(self, command: str) -> None:
        """Run a command of the shell and print what it writes."""
        if not self._is_python(command):
            self._commands.show(command, self._visible())

    def getoutput(self, command: str) -> list[str]:
        """Run a command of the shell; the lines that it writes."""
        return self._commands.lines(command, self._visible())

    def run_line_magic(self, name: str, line: str) -> object:
        """Carry out ``%name line``.

        Raises:
            ValueError: There is no such magic here.
        """
        if name in _SET_UP:
            return None
        command = _SHELL.get(name)
        if command is not None:
            return self.system(f"{command} {line}")
        magic = self._lines.get(name)
        if magic is None:
            known = ", ".join(f"%{known}" for known in sorted({*self._lines, *_SHELL}))
            raise ValueError(f"There is no %{name} here. There are: {known}.")
        return magic(line)

    def run_cell_magic(self, name: str, line: str, cell: str, offset: int = 0) -> object:
        """Carry out ``%%name line`` over the lines of a cell.

        Args:
            name: Of the magic.
            line: What follows the name.
            cell: The lines below it.
            offset: How many lines stand before those.

        Raises:
            ValueError: There is no such magic here.
        """
        magic = self._cells.get(name)
        if magic is None:
            known = ", ".join(f"%%{known}" for known in sorted(self._cells))
            raise ValueError(f"There is no %%{name} here. There are: {known}.")
        return magic(line, cell, offset)

    def _visible(self) -> dict[str, Any]:
        """The variables that the magic sees: those of a function, too."""
        return self._variables | dict(_caller().f_locals)

    def _is_python(self, command: str) -> bool:
        """Take what a terminal would give to Python: packages, and files of code."""
        program, _, rest = command.partition(" ")
        if program in {"pip", "pip3"}:
            pip(rest, self._namespaces.deps)
            return True
        module, _, pip_line = rest.partition("-m pip ")
        if program not in {"python", "python3"}:
            return False
        if pip_line and not module:
            pip(pip_line, self._namespaces.deps)
        else:
            self._run_file(rest)
        return True

    def _time(self, line: str) -> object:
        return _timed(lambda: self._execute(line, _caller().f_code.co_filename))

    def _time_cell(self, _line: str, cell: str, offset: int) -> object:
        return _timed(lambda: self._execute("\n" * offset + cell, _caller().f_code.co_filename))

    def _timeit(self, line: str) -> None:
        self._time_often(line, "pass")

    def _timeit_cell(self, line: str, cell: str, _offset: int) -> None:
        self._time_often(cell, line or "pass")

    def _time_often(self, statement: str, setup: str) -> None:
        timer = timeit.Timer(statement, setup, globals=self._visible())
        number, _ = timer.autorange()
        best = min(timer.repeat(3, number)) / number
        print(f"{_seconds(best)} per loop (best of 3, {number:,} loops each)")

    def _capture_cell(self, line: str, cell: str, offset: int) -> None:
        """Run the cell with its output kept back; given a name, it is put there as text."""
        written = io.StringIO()
        with contextlib.redirect_stdout(written), contextlib.redirect_stderr(written):
            self._execute("\n" * offset + cell, _caller().f_code.co_filename)
        name = line.strip().split(" ", 1)[0]
        if name.isidentifier():
            self._variables[name] = written.getvalue()

    def _shell_cell(self, _line: str, cell: str, _offset: int) -> None:
        self._commands.show(cell, {})

    def _run_file(self, line: str) -> None:
        path, *arguments = shlex.split(line) or [""]
        if not path or path.startswith("-"):
            raise ValueError(
                "Python is here already: write the code as it is, or run a file of it with "
                "%run FILE.py."
            )
        before = sys.argv
        sys.argv = [path, *arguments]
        try:
            made = runpy.run_path(path, run_name="__main__")
        finally:
            sys.argv = before
        self._variables.update(
            {name: value for name, value in made.items() if not name.startswith("__")}
        )

    def _pinfo(self, name: str) -> None:
        self._explain(self._value_of(name))

    def _pinfo2(self, name: str) -> None:
        value = self._value_of(name)
        try:
            print(inspect.getsource(value))
        except TypeError, OSError:
            self._explain(value)

    def _value_of(self, name: str) -> Any:
        # Of session code, and not of this module.
        return eval(name, self._visible() | {"__builtins__": builtins})

    def _who(self, _line: str) -> None:
        print("  ".join(self._made()) or "No variables.")

    def _whos(self, _line: str) -> None:
        for name in self._made():
            print(f"{name:<20} {type(self._variables[name]).__name__}")

    def _made(self) -> list[str]:
        return sorted(
            name for name in self._variables if not name.startswith("_") and name not in NAMESPACES
        )


def _caller() -> FrameType:
    """The frame of the code that wrote the magic: errors are to name it, and its lines."""
    frame = sys._getframe(1)
    here = os.path.dirname(__file__)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(here):
        frame = frame.f_back
    return frame


def _timed(run: Callable[[], object]) -> object:
    start = time.perf_counter()
    try:
        return run()
    finally:
        print(f"Wall time: {_seconds(time.perf_counter() - start)}")


def _seconds(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def _cd(line: str) -> None:
    os.chdir(os.path.expanduser(line.strip().strip("'\"") or _WORKSPACE))
    print(os.getcwd())


def _write_cell(line: str, cell: str, _offset: int) -> None:
    arguments = shlex.split(line)
    paths = [argument for argument in arguments if argument not in {"-a", "--append"}]
    if len(paths) != 1:
        raise ValueError("%%writefile needs one path: %%writefile FILE.")
    path = Path(paths[0])
    is_appended = len(arguments) > 1
    print(
        f"{'Appending to' if is_appended else 'Overwriting' if path.exists() else 'Writing'} {path}"
    )
    with path.open("a" if is_appended else "w") as file:
        file.write(cell)


__all__ = ["Notebook"]
