"""What a browser has not: sockets, processes, a debugger. Code that wants them hears so at once.

This is advice for the authors of programs. What holds hostile code is the browser.
"""

from __future__ import annotations

import errno
import os
import socket
import sys
from typing import NoReturn

from vitrine._hints import PROCESSES
from vitrine._network import NETWORK, SOCKETS

_NO_DEBUGGER = (
    "breakpoint() needs a debugger, and there is none here. Print what you want to see, or let the "
    "run end there: its variables stay for the next one."
)
# Scripts begin with them, and mind nothing else.
_CLEARING = frozenset({"clear", "cls"})


def describe_the_machine() -> None:
    """Have what would fail without a word, or seem to work, say what to use instead."""
    # Emscripten's own socket says that it has connected, to whatever address.
    for name in ("connect", "listen", "sendto", "sendmsg"):
        setattr(socket.socket, name, _no_network)
    socket.socket.connect_ex = _unreachable
    os.system = _system
    sys.breakpointhook = _no_debugger


def _no_network(_socket: object, *_arguments: object) -> NoReturn:
    raise OSError(errno.ENETUNREACH, f"{SOCKETS} {NETWORK.advice()}")


def _unreachable(_socket: object, _address: object) -> int:
    return errno.ENETUNREACH


def _system(command: str) -> int:
    if command.strip() in _CLEARING:
        return 0
    print(f"os.system({command!r}) did nothing. {PROCESSES}", file=sys.stderr)
    return -1


def _no_debugger(*_arguments: object, **_options: object) -> NoReturn:
    raise RuntimeError(_NO_DEBUGGER)


__all__ = ["describe_the_machine"]
