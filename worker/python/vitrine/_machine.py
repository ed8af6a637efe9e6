"""What a browser has not: sockets, processes, a debugger. Code that wants them hears so at once.

This is advice for the authors of programs. What holds hostile code is the browser.
"""

from __future__ import annotations

import errno
import os
import socket
import sys
from collections.abc import Callable
from typing import Any, NoReturn

from vitrine._hints import PROCESSES, SOCKETS, no_network

_NO_DEBUGGER = (
    "breakpoint() needs a debugger, and there is none here. Print what you want to see, or let the "
    "run end there: its variables stay for the next one."
)
# Scripts begin with them, and mind nothing else.
_CLEARING = frozenset({"clear", "cls"})


def describe_the_machine(trust: str) -> None:
    """Have what would fail without a word, or seem to work, say what to use instead."""
    message = f"{SOCKETS} {no_network(trust)}"
    connect = _refusal(message)

    def connect_ex(_socket: object, _address: object) -> int:
        return errno.ENETUNREACH

    # Emscripten's own socket says that it has connected, to whatever address.
    methods: dict[str, Callable[..., Any]] = {"connect": connect, "connect_ex": connect_ex}
    for name, method in methods.items():
        setattr(socket.socket, name, method)
    os.system = _system
    sys.breakpointhook = _no_debugger


def _refusal(message: str) -> Callable[[object, object], NoReturn]:
    def connect(_socket: object, _address: object) -> NoReturn:
        raise OSError(errno.ENETUNREACH, message)

    return connect


def _system(command: str) -> int:
    if command.strip() in _CLEARING:
        return 0
    print(f"os.system({command!r}) did nothing. {PROCESSES}", file=sys.stderr)
    return -1


def _no_debugger(*_arguments: object, **_options: object) -> NoReturn:
    raise RuntimeError(_NO_DEBUGGER)


__all__ = ["describe_the_machine"]
