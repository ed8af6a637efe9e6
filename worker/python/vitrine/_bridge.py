"""The bridge: how Python waits for the page.

Everything that blocks (a call, ``time.sleep``, an idle event loop, ``input``)
stands on one primitive: post a request, wait for events.
"""

from __future__ import annotations

import asyncio
import inspect
import time
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from contextvars import ContextVar
from typing import Any, Protocol, cast
from weakref import WeakSet

from vitrine import _codec
from vitrine._errors import CallBudgetError, RPCTransportError
from vitrine._host import Event, Host
from vitrine._loop import BridgeLoop, install
from vitrine._operation import Hear, Settle
from vitrine._wire_errors import error_from_wire

current_call: ContextVar[str | None] = ContextVar("current_call", default=None)
"""The journalled call in whose course Python runs right now: the parent of calls made here."""

_CLEANUP_TURNS = 1000
_REMEMBERED_ERRORS = 100
_MOST_QUEUED = 1000
# Seconds after which a loop that is never idle lets JavaScript have a turn.
_LONGEST_TURN = 0.025


class Invoker(Protocol):
    """Runs a function that the page asks for while Python waits.

    Of an asynchronous one it returns the coroutine, which is driven here.
    """

    def __call__(self, invocation: dict[str, Any]) -> object: ...


class Bridge:
    """Synchronous and awaited calls to the page, on one host."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._last_id = 0
        self._expected: set[int] = set()
        self._answers: dict[int, Event] = {}
        self._futures: dict[int, asyncio.Future[Event]] = {}
        # Who hears of parts of an answer.
        self._hearers: dict[int, Hear] = {}
        # Calls that begin once an answer has come.
        self._queue: deque[asyncio.Future[None]] = deque()
        self._invocations: deque[Event] = deque()
        # What invoked functions raised, for those who hear of it by way of the page.
        self._raised: dict[int, Exception] = {}
        self._answering: set[asyncio.Task[None]] = set()
        self._invoke: Invoker | None = None
        self._max_open: int | None = None
        self._spent: CallBudgetError | None = None
        # Those that a JavaScript promise is to fulfil.
        self._promises: set[asyncio.Future[Any]] = set()
        self._last_turn = 0.0
        host.drive_promises(self._note_promise, self._run_sync)
        self._loops: WeakSet[BridgeLoop] = WeakSet()
        self.loop = install(self._new_loop)

    def on_invoke(self, invoke: Invoker) -> None:
        """Say who answers when a tool asks to run a skill in this interpreter."""
        self._invoke = invoke

    def request(self, method: str, arguments: dict[str, object], hear: Hear | None = None) -> Any:
        """Ask the page and block until it answered.

        Args:
            method: What is asked.
            arguments: With which arguments.
            hear: Is called with each part of the answer that comes before the rest. What it
                raises ends the wait.

        Raises:
            NamespaceError: The page's error, as the class that belongs to it.
            RPCTransportError: Python cannot wait for the page here.
        """
        request_id = self._post(method, arguments)
        self._expected.add(request_id)
        if hear is not None:
            self._hearers[request_id] = hear
        try:
            while request_id not in self._answers:
                self.wait(None)
            return self._unwrap(self._answers.pop(request_id), method)
        finally:
            self._expected.discard(request_id)
            self._hearers.pop(request_id, None)
            self._answers.pop(request_id, None)

    async def request_async(
        self, method: str, arguments: dict[str, object], hear: Hear | None = None
    ) -> Any:
        """Ask the page; other tasks run until it answers. Raises as ``request`` does."""
        future: asyncio.Future[Event] = asyncio.get_running_loop().create_future()
        # What is called in the course of a call does not wait for those that wait for it.
        if self._is_full and current_call.get() is None and len(self._queue) < _MOST_QUEUED:
            await self._turn()
        request_id = self._post(method, arguments)
        self._futures[request_id] = future
        if hear is not None:
            self._hearers[request_id] = hear
        try:
            return self._unwrap(await future, method)
        finally:
            self._futures.pop(request_id, None)
            self._hearers.pop(request_id, None)
            self._admit_next()

    @property
    def _is_full(self) -> bool:
        limit = self._max_open
        return limit is not None and len(self._futures) + len(self._expected) >= limit

    async def _turn(self) -> None:
        """Wait until one of the calls that wait for their answer has it."""
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.append(turn)
        try:
            await turn
        except BaseException:
            if turn.done() and not turn.cancelled():
                self._admit_next()
            raise

    def _admit_next(self) -> None:
        while self._queue and not self._is_full:
            turn = self._queue.popleft()
            if not turn.done():
                turn.set_result(None)
                return

    def run_coroutine[T](self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Drive a coroutine to its end from synchronous code, inside a running loop too."""
        running = asyncio._get_running_loop()  # pyright: ignore
        loop = running if isinstance(running, BridgeLoop) else self.loop
        return loop.run_until_complete(coroutine)

    def begin_run(self, max_open: int | None = None) -> None:
        """Forget what an earlier run left: answers nobody waits for, invocations nobody wants.

        Args:
            max_open: Calls that may wait for their answer at once. The page keeps to that in
                any case; here it saves asking what would be refused.
        """
        self.loop.use_policy()
        self._max_open = max_open
        self._spent = None
        self._invocations.clear()
        self._raised.clear()
        # A task that goes on from run to run may still await one.
        self._promises.difference_update([future for future in self._promises if future.done()])
        self._answers.clear()
        self._expected.clear()
        self._queue.clear()

    def abandon_tasks(self) -> None:
        """Cancel what an interrupted run left on the loop, so that it does not go on in the next.

        The tasks may clean up, but not wait: a bounded number of turns without
        any waiting, then they are dropped. So are those of an ``asyncio.run`` that was
        interrupted once more while it cleaned up.
        """
        for task in asyncio.all_tasks(self.loop):
            task.cancel()
        self.loop.run_briefly(_CLEANUP_TURNS)
        for loop in self._loops:
            loop.drop_tasks()

    def sleep(self, seconds: float) -> None:
        """``time.sleep`` that lets the page interrupt it and uses no CPU."""
        if seconds < 0:
            raise ValueError("sleep length must be non-negative")
        end = time.monotonic() + seconds
        while (remaining := end - time.monotonic()) > 0:
            self._wait(remaining, within_loop=False, passes_time=True)

    def wait(self, seconds: float | None) -> None:
        """Wait for the page and hand what it said to whoever waits for it.

        Raises:
            KeyboardInterrupt: The run is over its deadline or was stopped.
        """
        self._wait(seconds, within_loop=False)

    def _wait_idle(self, seconds: float | None) -> None:
        """``wait`` of a loop that has nothing to do: what is asynchronous may go on beside it."""
        self._wait(seconds, within_loop=True)

    def _wait(self, seconds: float | None, *, within_loop: bool, passes_time: bool = False) -> None:
        if seconds is None and not self._host.can_block:
            raise RPCTransportError(
                "Python cannot wait for the page here: there is neither shared memory nor JSPI nor "
                "the blob channel, or JavaScript called this function back. Make the call from "
                "ordinary code of the run."
            )
        loop = asyncio._get_running_loop() if within_loop else None  # pyright: ignore
        if isinstance(loop, BridgeLoop) and self._lets_promises_settle(seconds):
            events = self._host.wait_beside(seconds, loop)
        else:
            events = self._host.wait(seconds, passes_time=passes_time)
        interrupted = False
        for event in events:
            if event.kind == "interrupt":
                interrupted = True
            elif event.kind == "invoke":
                self._invocations.append(event)
            else:
                self._deliver(event)
        if interrupted:
            raise KeyboardInterrupt
        # Only now: a nested run may wait for one of the answers that came beside it.
        while self._invocations:
            self._run_invocation(self._invocations.popleft(), within_loop=within_loop)

    def _lets_promises_settle(self, seconds: float | None) -> bool:
        """Whether the loop waits so that JavaScript goes on, which no thread that stops allows."""
        if self._host.waits_by_promise:
            return seconds != 0 and self._host.can_suspend
        if not self._promises:
            # Nothing of the page can end this wait. A callback of JavaScript may.
            is_needed = seconds is None and not self._futures and not self._expected
        elif is_needed := seconds != 0 or time.monotonic() - self._last_turn > _LONGEST_TURN:
            self._last_turn = time.monotonic()
        return is_needed and self._host.can_suspend

    def _note_promise(self, future: asyncio.Future[Any]) -> None:
        if not isinstance(future.get_loop(), BridgeLoop):
            return
        if not self._host.can_suspend:
            raise RPCTransportError(
                "A JavaScript promise cannot be awaited here: it would never settle, since Python "
                "cannot be suspended (the browser has no JSPI, or JavaScript called this function "
                "back). Call a tool instead, or something of JavaScript that returns no promise."
            )
        self._promises.add(future)
        future.add_done_callback(self._promises.discard)

    def _run_sync(self, awaitable: Awaitable[object]) -> object:
        """``pyodide.ffi.run_sync``: drive ``awaitable`` to its end from synchronous code."""

        async def settle() -> object:
            return await awaitable

        return self.run_coroutine(settle())

    def _new_loop(self) -> BridgeLoop:
        loop = BridgeLoop(self._wait_idle)
        self._loops.add(loop)
        return loop

    def _deliver(self, event: Event) -> None:
        if event.kind == "part":
            hear = self._hearers.get(event.id)
            if hear is not None:
                hear(_codec.decode(event.text, event.buffers))
            return
        future = self._futures.get(event.id)
        if future is not None:
            if not future.done():
                future.set_result(event)
        elif event.id in self._expected:
            self._answers[event.id] = event

    def _post(self, method: str, arguments: dict[str, object]) -> int:
        if not method.endswith(".end"):
            self._check_limits(method)
        text, buffers = _codec.encode(arguments, converts=True)
        self._last_id += 1
        self._host.post(
            self._last_id, method, parent=current_call.get(), text=text, buffers=buffers
        )
        return self._last_id

    def _unwrap(self, event: Event, method: str) -> Any:
        try:
            return _unwrap(event, method, self._raised)
        except CallBudgetError as error:
            self._spent = error
            raise

    def _check_limits(self, method: str) -> None:
        """Do not ask the page for what it would refuse: a loop of a hundred thousand stays here."""
        if self._spent is not None:
            raise _refusal("CallBudgetError", str(self._spent), self._spent.limit, method)
        if self._is_full:
            limit = self._max_open or 0
            message = (
                f"{limit:,} calls wait for their answer already, and {len(self._queue):,} for "
                "their turn. Gather fewer at a time, or open the session with a higher "
                "`limits.openCalls`."
            )
            raise _refusal("OpenCallsError", message, limit, method)

    def _run_invocation(self, event: Event, *, within_loop: bool) -> None:
        invocation = cast("dict[str, Any]", _codec.decode(event.text, event.buffers))
        token = current_call.set(invocation.get("parent"))
        try:
            if self._invoke is None:
                raise RPCTransportError("Nothing in this interpreter answers invocations.")
            value = self._invoke(invocation)
            if inspect.iscoroutine(value):
                if within_loop:
                    self._answer_later(event.id, value)
                    return
                value = Settle(value).wait(self)
            answer: dict[str, object] = {"id": event.id, "value": value}
        except Exception as error:  # noqa: BLE001 - it belongs to the tool that asked
            answer = self._failure(event.id, error)
        finally:
            current_call.reset(token)
        self._post_answer(event.id, answer)

    def _answer_later(self, invocation: int, coroutine: Coroutine[Any, Any, object]) -> None:
        """Let a coroutine run beside the others of the loop that waits, so that calls overlap."""

        async def answer() -> None:
            try:
                ended: dict[str, object] = {"id": invocation, "value": await coroutine}
            except Exception as error:  # noqa: BLE001 - it belongs to the tool that asked
                ended = self._failure(invocation, error)
            self._post_answer(invocation, ended)

        task = asyncio.get_running_loop().create_task(answer())
        # A loop holds its tasks weakly.
        self._answering.add(task)
        task.add_done_callback(self._answering.discard)

    def _post_answer(self, invocation: int, answer: dict[str, object]) -> None:
        try:
            self._post("invoke.end", answer)
        except _codec.ValueNotTransferableError as error:
            self._post("invoke.end", self._failure(invocation, error))

    def _failure(self, invocation: int, error: Exception) -> dict[str, object]:
        if len(self._raised) >= _REMEMBERED_ERRORS:
            del self._raised[next(iter(self._raised))]
        self._raised[invocation] = error
        return {
            "id": invocation,
            "error": {"type": type(error).__name__, "message": str(error)},
        }


def _refusal(name: str, message: str, limit: int, method: str) -> BaseException:
    namespace, _, operation = method.partition(".")
    return error_from_wire(
        name=name,
        code="CALL_BUDGET" if name == "CallBudgetError" else "OPEN_CALLS",
        message=message,
        details={"limit": limit},
        namespace=namespace,
        operation=operation,
    )


def _unwrap(event: Event, method: str, raised: dict[int, Exception]) -> Any:
    payload = _codec.decode(event.text, event.buffers)
    if event.kind == "reply":
        return payload
    namespace, _, operation = method.partition(".")
    if not isinstance(payload, dict):
        raise RPCTransportError(f"The page answered {method} with a malformed error.")
    wire = cast("dict[str, Any]", payload)
    # What a function of this interpreter raised is raised again as it was, attributes and all.
    details = cast("object", wire.get("details"))
    invocation = details.get("invocation") if isinstance(details, dict) else None  # pyright: ignore
    if isinstance(invocation, int) and invocation in raised:
        raise raised.pop(invocation)
    build = cast("Callable[..., BaseException]", error_from_wire)
    raise build(
        name=wire.get("name"),
        code=wire.get("code"),
        message=wire.get("message"),
        details=wire.get("details"),
        namespace=namespace,
        operation=operation,
    )
