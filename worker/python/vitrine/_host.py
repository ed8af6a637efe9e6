"""The page, as Python sees it: the only module that touches JavaScript.

``_vitrine_host`` is registered by ``worker/host-module.ts`` before a ``Host`` is
made. It is not imported with this module: a base snapshot holds this package
imported, and no JavaScript object may be in it.
"""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple, Protocol, cast

from pyodide.ffi import JsBuffer, JsProxy, can_run_sync, run_sync, to_js

type Buffer = bytes | bytearray | memoryview


class Event(NamedTuple):
    """Something the page said while Python waited."""

    kind: str
    id: int
    text: str
    buffers: Sequence[bytes]


class Sleeper(Protocol):
    """A loop that is asleep while Python is suspended."""

    def fall_asleep(self, wake: Callable[[], None]) -> None:
        """From here to ``wake_up`` call ``wake`` when something is put on the loop."""
        ...

    def wake_up(self) -> None:
        """The loop runs again."""
        ...


class Host:
    """One narrow interface: post a request, wait for events, write output."""

    def __init__(self) -> None:
        # Pyodide's own loop, the running one until ours takes its place.
        self._browser_loop = asyncio._get_running_loop()  # pyright: ignore
        # Looked up once: every look at an attribute of a JavaScript object crosses over.
        import _vitrine_host as js

        self._post = js.post
        self._wait = js.wait
        self._wait_beside = js.wait_beside
        self._wake = js.wake
        self._sleep = js.sleep
        self._take_events = js.take_events
        self._write = js.write
        self._display = js.display
        self._signal = js.signal
        self._collect_files = js.collect_files
        self._apply_files = js.apply_files
        self._arm = js.arm
        self._disarm = js.disarm
        self._postpone_interrupt = js.postpone_interrupt
        self._refused_heap = js.refused_heap
        self._protect_stack = js.protect_stack
        self._release_stack = js.release_stack
        self._from_entries = js.from_entries
        self.waits_by_promise = bool(js.waits_by_promise)
        self._has_transport = bool(js.can_block)
        self._no_buffers = to_js([])

    def post(
        self,
        request_id: int,
        method: str,
        *,
        parent: str | None,
        text: str,
        buffers: Sequence[Buffer],
    ) -> None:
        """Send a request; its answer comes as an event of ``wait``."""
        self._post(
            request_id, method, parent, text, to_js(buffers) if buffers else self._no_buffers
        )

    def wait(self, seconds: float | None, *, passes_time: bool = False) -> list[Event]:
        """Block until the page said something, or the time is over (then the list is empty).

        Where Python cannot wait for the page, only the time and an interrupt end it.

        Args:
            seconds: None for as long as it takes.
            passes_time: Nothing is waited for but the time: the clock of the run goes on.
        """
        if seconds is not None and not self.can_block:
            return _events(self._sleep(seconds * 1000.0))
        milliseconds = -1.0 if seconds is None else seconds * 1000.0
        # Every argument is one more to hand over to JavaScript.
        answer: Any = self._wait(milliseconds, True) if passes_time else self._wait(milliseconds)
        if self.waits_by_promise:
            try:
                self._suspend(answer.promise)
            finally:
                # Also when it failed: interrupts are held back until the events are taken.
                answer = self._take_events()
        return _events(answer)

    def wait_beside(self, seconds: float | None, loop: Sleeper) -> list[Event]:
        """``wait`` that lets JavaScript go on, and ends as soon as it puts something on ``loop``.

        Only where Python ``can_suspend``.
        """
        answer = self._wait_beside(-1.0 if seconds is None else seconds * 1000.0)
        loop.fall_asleep(self._wake)
        try:
            self._suspend(answer.promise)
        finally:
            loop.wake_up()
            events = self._take_events()
        return _events(events)

    def drive_promises(
        self,
        note: Callable[[asyncio.Future[Any]], None],
        run: Callable[[Awaitable[object]], object],
    ) -> None:
        """Have awaited JavaScript promises, and Pyodide's ``run_sync``, stand on our loop.

        Args:
            note: Is called with the future of each promise that is awaited. What it raises
                is raised by the ``await``.
            run: Takes the place of ``run_sync``, which waits where no interrupt reaches it.
        """
        helper: Any = importlib.import_module("_pyodide._future_helper")
        original = helper.get_future_resolvers

        def get_future_resolvers(future: asyncio.Future[Any]) -> object:
            note(future)
            return original(future)

        helper.get_future_resolvers = get_future_resolvers
        ffi: Any = importlib.import_module("pyodide.ffi")
        ffi.run_sync = run

    def _suspend(self, promise: JsProxy) -> None:
        # Pyodide resolves the promise in a task of the running loop. Ours stands still meanwhile.
        running = asyncio._get_running_loop()  # pyright: ignore
        asyncio._set_running_loop(self._browser_loop)  # pyright: ignore
        try:
            run_sync(cast("Awaitable[object]", promise))
        finally:
            asyncio._set_running_loop(running)  # pyright: ignore

    def write(self, stream: str, text: str) -> None:
        """Stream text of ``stdout`` or ``stderr`` to the page."""
        self._write(stream, text)

    def display(self, source: str, data: dict[str, str | bytes]) -> None:
        """Send one rich output."""
        self._display(source, to_js(data, dict_converter=self._from_entries))

    def signal(self, signal_type: str, message: str) -> None:
        """Tell whoever follows an agent's task something at once."""
        self._signal(signal_type, message)

    def collect_files(self) -> dict[str, object]:
        """Take what changed in the workspace since the page heard of it.

        ``None`` stands for the content of a file that was deleted.
        """
        found = self._collect_files()
        return {
            "files": [
                [path, None if content is None else cast("JsBuffer", content).to_bytes()]
                for path, content in found.files
            ],
            "problems": [[path, reason] for path, reason in found.problems],
            "unstored": [[path, kind, note] for path, kind, note in found.unstored],
        }

    def apply_files(self, files: list[list[object]]) -> list[list[str]]:
        """Bring changes into the workspace. Tells which could not be, and why."""
        return [[path, reason] for path, reason in self._apply_files(to_js(files))]

    def arm(self, milliseconds: float | None) -> None:
        """Start the deadline of a run; the interrupt signal may fire from now on."""
        self._arm(-1.0 if milliseconds is None else milliseconds)

    def disarm(self) -> str | None:
        """End the deadline. Tells why the run was interrupted: ``timeout``, ``stop`` or None."""
        return self._disarm()

    def postpone_interrupt(self) -> None:
        """Have the interrupt that has just come once more: it came where it may not strike."""
        self._postpone_interrupt()

    def protect_stack(self) -> None:
        """Let C code recurse as far as runs may; past that it raises ``RecursionError``."""
        self._protect_stack()

    def release_stack(self) -> None:
        """Let C code recurse as far as CPython would."""
        self._release_stack()

    def refused_heap(self) -> int | None:
        """Bytes of the heap's limit, if it refused an allocation since the run was armed."""
        limit = int(self._refused_heap())
        return None if limit < 0 else limit

    @property
    def can_block(self) -> bool:
        """Whether Python can wait for the page here.

        A function that JavaScript called back cannot be suspended on a promise.
        """
        return self._has_transport and (not self.waits_by_promise or can_run_sync())

    @property
    def can_suspend(self) -> bool:
        """Whether Python can wait for JavaScript here, and not only for the page."""
        return self._has_transport and can_run_sync()

    def to_page(self, value: object) -> JsProxy:
        """Copy plain Python data into JavaScript, for the reply of a run."""
        return cast(JsProxy, to_js(value, dict_converter=self._from_entries))


def _events(answer: Any) -> list[Event]:
    """Take apart what the host answered: the text of one event, or any number of them."""
    if type(answer) is str:
        kind, request_id, text = answer.split(" ", 2)
        return [Event(kind, int(request_id), text, ())]
    return [_event(item) for item in answer]


def _event(item: JsProxy) -> Event:
    kind, request_id, text, buffers = item
    return Event(
        cast(str, kind),
        cast(int, request_id),
        cast(str, text),
        [cast(JsBuffer, buffer).to_bytes() for buffer in buffers],
    )
