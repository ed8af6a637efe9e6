"""The page, as Python sees it: the only module that touches JavaScript.

``_vitrine_host`` is registered by ``worker/host-module.ts`` before this package
is imported.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from typing import Any, NamedTuple, cast

import _vitrine_host as js_host
from pyodide.ffi import JsBuffer, JsProxy, can_run_sync, run_sync, to_js

type Buffer = bytes | bytearray | memoryview


class Event(NamedTuple):
    """Something the page said while Python waited."""

    kind: str
    id: int
    text: str
    buffers: Sequence[bytes]


class Host:
    """One narrow door: post a request, wait for events, write output."""

    def __init__(self) -> None:
        # Pyodide's own loop, the running one until ours takes its place.
        self._browser_loop = asyncio._get_running_loop()  # pyright: ignore

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
        js_host.post(request_id, method, parent, text, to_js(buffers))

    def wait(self, seconds: float | None) -> list[Event]:
        """Block until the page said something, or the time is over (then the list is empty).

        Where Python cannot wait for the page, only the time and an interrupt end it.
        """
        if seconds is not None and not self.can_block:
            return [_event(item) for item in js_host.sleep(seconds * 1000.0)]
        answer: Any = js_host.wait(-1.0 if seconds is None else seconds * 1000.0)
        if js_host.waits_by_promise:
            try:
                self._suspend(answer.promise)
            finally:
                # Also when it failed: interrupts are held back until the events are taken.
                answer = js_host.take_events()
        return [_event(item) for item in answer]

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
        js_host.write(stream, text)

    def display(self, source: str, data: dict[str, str | bytes]) -> None:
        """Send one rich output."""
        js_host.display(source, to_js(data, dict_converter=js_host.from_entries))

    def arm(self, milliseconds: float | None) -> None:
        """Start the deadline of a run; the interrupt signal may fire from now on."""
        js_host.arm(-1.0 if milliseconds is None else milliseconds)

    def disarm(self) -> str | None:
        """End the deadline. Tells why the run was interrupted: ``timeout``, ``stop`` or None."""
        return js_host.disarm()

    @property
    def can_block(self) -> bool:
        """Whether Python can wait for the page here.

        A function that JavaScript called back cannot be suspended on a promise.
        """
        return bool(js_host.can_block) and (not js_host.waits_by_promise or can_run_sync())


def to_page(value: object) -> JsProxy:
    """Copy plain Python data into JavaScript, for the reply of a run."""
    return cast(JsProxy, to_js(value, dict_converter=js_host.from_entries))


def _event(item: JsProxy) -> Event:
    kind, request_id, text, buffers = item
    return Event(
        cast(str, kind),
        cast(int, request_id),
        cast(str, text),
        [cast(JsBuffer, buffer).to_bytes() for buffer in buffers],
    )
