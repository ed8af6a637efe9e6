from __future__ import annotations

import asyncio
import json
import signal
import sys
import unittest
from types import FrameType
from typing import Any

from vitrine._interrupts import interrupt_handler, may_strike
from vitrine._loop import BridgeLoop


class InterruptedLoop:
    """A session's loop, interrupted at the line of one's choice while it runs two tasks."""

    def __init__(self, line: int) -> None:
        self.loop = BridgeLoop(self._wait)
        self.lines = 0
        self.was_interrupted = False
        self._line = line
        self._postponed = False
        self._handle = interrupt_handler(self._postpone)

    def run(self) -> None:
        sys.settrace(self._trace)
        try:
            self.loop.run_until_complete(_two_tasks())
        except KeyboardInterrupt:
            self.was_interrupted = True
        finally:
            sys.settrace(None)
        # What the run has not heeded by now is forgotten with it.
        self._postponed = False
        for task in asyncio.all_tasks(self.loop):
            task.cancel()
        self.loop.run_briefly(1000)

    def _wait(self, _seconds: float | None) -> None:
        if self._postponed:
            self._postponed = False
            raise KeyboardInterrupt

    def _postpone(self) -> None:
        self._postponed = True

    def _trace(self, frame: FrameType, event: str, _argument: object) -> Any:
        if event == "line":
            self.lines += 1
            if self.lines == self._line:
                self._handle(signal.SIGINT, frame)
        return self._trace


async def _two_tasks() -> None:
    await asyncio.gather(_one_task(), _one_task())


async def _one_task() -> None:
    for _ in range(2):
        await asyncio.sleep(0)


async def _seven() -> int:
    await asyncio.sleep(0)
    return 7


class AtAnyLine(unittest.TestCase):
    """Wherever an interrupt comes, the loop is whole afterwards."""

    def test_the_loop_runs_the_next_coroutine(self) -> None:
        whole = InterruptedLoop(0)
        whole.run()
        self.assertFalse(whole.was_interrupted)
        self.assertGreater(whole.lines, 200)

        interrupted = 0
        for line in range(1, whole.lines + 1):
            with self.subTest(line=line):
                attempt = InterruptedLoop(line)
                attempt.run()
                interrupted += attempt.was_interrupted
                self.assertFalse(attempt.loop.is_running())
                self.assertIsNone(asyncio._get_running_loop())  # pyright: ignore
                self.assertEqual(attempt.loop.run_until_complete(_seven()), 7)
        # The last lines are those of a loop that has ended: nothing is left to interrupt.
        self.assertGreater(interrupted, whole.lines // 2)


class Places(unittest.TestCase):
    """Session code may be left anywhere, also inside what it calls; bookkeeping may not."""

    def test_session_code_and_what_it_calls(self) -> None:
        self.assertTrue(may_strike(sys._getframe()))

        class Encoder(json.JSONEncoder):
            def default(self, o: object) -> object:
                # Called by the standard library, which was called from here.
                seen.append(may_strike(sys._getframe(1)))
                return str(o)

        seen: list[bool] = []
        json.dumps([object()], cls=Encoder, indent=1)
        self.assertEqual(seen, [True])

    def test_what_asyncio_calls_belongs_to_asyncio(self) -> None:
        places: list[bool] = []
        loop = BridgeLoop(lambda _seconds: places.append(may_strike(sys._getframe(1))))
        loop.run_until_complete(_seven())
        self.assertIn(False, places)
        self.assertNotIn(True, places)

    def test_code_that_calls_itself_something_else(self) -> None:
        places: list[bool] = []
        names: tuple[object, ...] = ("asyncio_tools", "vitrine", [], None)
        for name in names:
            look = lambda: places.append(may_strike(sys._getframe(1)))  # noqa: E731
            exec("look()", {"__name__": name, "look": look})
        self.assertEqual(places, [True] * len(names))

    def test_no_frame_at_all(self) -> None:
        self.assertFalse(may_strike(None))


if __name__ == "__main__":
    unittest.main()
