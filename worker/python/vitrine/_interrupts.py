"""Where an interrupt may strike.

Python raises ``KeyboardInterrupt`` between any two instructions. In the middle of
an event loop's bookkeeping that leaves a loop that believes it runs for ever; in
the code that reports an interrupt, a second one loses the report. There it has to
wait: the signal is told to come again, and strikes in the next wait for the page,
or once session code runs.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType

_BOOKKEEPING = frozenset(
    {
        "vitrine._bridge",
        "vitrine._host",
        "vitrine._interrupts",
        "vitrine._loop",
        "vitrine._run_error",
        "vitrine._run_reply",
        "vitrine._run_request",
        "vitrine._runner",
        "vitrine._traceback",
    }
)


def interrupt_handler(postpone: Callable[[], None]) -> Callable[[int, FrameType | None], None]:
    """Make the handler of ``SIGINT``.

    Args:
        postpone: Asks for the same interrupt again, a moment later.
    """

    def handle(_signal: int, frame: FrameType | None) -> None:
        if not may_strike(frame):
            postpone()
            return
        raise KeyboardInterrupt

    return handle


def may_strike(frame: FrameType | None) -> bool:
    """Whether the code that runs in ``frame`` may be left anywhere.

    The standard library does what its caller does: ``json`` called by session code may be
    left, and what ``asyncio`` calls belongs to ``asyncio``.
    """
    while frame is not None:
        name = frame.f_globals.get("__name__")
        if type(name) is not str:
            return True
        package = name.partition(".")[0]
        if package == "asyncio" or name in _BOOKKEEPING:
            return False
        if package not in sys.stdlib_module_names:
            return True
        frame = frame.f_back
    return False
