"""The asyncio event loop of a session.

Pyodide's own loop runs on the browser's and cannot block; this one waits for
the page through the bridge, so that ``asyncio.run``, ``asyncio.sleep`` and
awaited calls follow the same rules on every transport. It can be entered again
from inside itself: a coroutine may call a function that needs another coroutine
driven to its end.
"""

from __future__ import annotations

import asyncio
import heapq
from asyncio import base_events, events, tasks
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any, NoReturn, cast, override

from vitrine._hints import PROCESSES
from vitrine._network import NETWORK, SOCKETS


class BridgeLoop(base_events.BaseEventLoop):
    """An event loop whose idle time is spent waiting for the page.

    Args:
        wait: Blocks for at most so many seconds (None: until something comes)
            and hands whatever came to those who wait for it.
    """

    def __init__(self, wait: Callable[[float | None], None]) -> None:
        super().__init__()
        self._wait_for_page = wait
        self.policy: BridgeLoopPolicy | None = None
        self._closing: set[asyncio.Task[None]] = set()

    def use_policy(self) -> None:
        """Make ours what asyncio goes by, whatever code has put in its place."""
        # Setting it asks builtins that code may have replaced.
        if asyncio.events._event_loop_policy is not self.policy:  # pyright: ignore
            asyncio.events._set_event_loop_policy(self.policy)  # pyright: ignore

    def fall_asleep(self, wake: Callable[[], None]) -> None:
        """From here to ``wake_up`` call ``wake`` when JavaScript puts something on this loop."""

        def call_soon(*args: Any, **options: Any) -> asyncio.Handle:
            wake()
            return BridgeLoop.call_soon(self, *args, **options)

        # A method of the class would cost each callback of a loop that is awake.
        vars(self)["call_soon"] = call_soon

    def wake_up(self) -> None:
        """The loop runs again."""
        del vars(self)["call_soon"]

    def run_until_complete[T](self, future: Awaitable[T]) -> T:
        """Drive ``future`` to its end, also while this loop is already running."""
        if self.is_running():
            return self._run_nested(asyncio.ensure_future(future, loop=self))
        try:
            result = super().run_until_complete(cast("Any", future))
        except Exception:
            self._close_generators()
            raise
        self._close_generators()
        return result

    def _asyncgen_finalizer_hook(self, agen: AsyncGenerator[Any, Any]) -> None:
        """Close a generator that was left in the middle, before the run that left it ends."""
        loop = cast("Any", self)
        loop._asyncgens.discard(agen)
        if self.is_closed():
            return
        task: asyncio.Task[None] = self.create_task(cast("Any", agen.aclose()))
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    def _close_generators(self) -> None:
        while self._closing and not self.is_closed():
            super().run_until_complete(asyncio.wait(set(self._closing)))

    def _run_nested[T](self, future: asyncio.Future[T]) -> T:
        # The task that entered us is put aside: asyncio allows one current task only.
        swap = cast("Callable[..., Any]", getattr(tasks, "_swap_current_task"))
        outer_task = swap(self, None)
        try:
            while not future.done():
                self._run_once()
        finally:
            swap(self, outer_task)
        return future.result()

    def run_briefly(self, turns: int) -> None:
        """Run what is ready, without waiting for anything, then drop what is left."""
        loop = cast("Any", self)
        running = asyncio._get_running_loop()  # pyright: ignore
        asyncio._set_running_loop(self)  # pyright: ignore
        try:
            for _ in range(turns):
                if not loop._ready:
                    break
                handle = loop._ready.popleft()
                if not handle._cancelled:
                    # What interrupted one task is raised again in those that waited for it.
                    with suppress(KeyboardInterrupt, SystemExit):
                        handle._run()
        finally:
            asyncio._set_running_loop(running)  # pyright: ignore
            loop._ready.clear()
            loop._scheduled.clear()
            # What was ready may have asked the loop to stop, as the end of the run's own task does.
            loop._stopping = False

    def drop_tasks(self) -> None:
        """Forget the tasks that have not ended. Python says so of no task that it frees later."""
        for task in asyncio.all_tasks(self):
            task._log_destroy_pending = False  # pyright: ignore

    def _run_once(self) -> None:
        # BaseEventLoop's own counts the ready callbacks before it runs them; a nested run may
        # have taken some of them in between, so here the queue itself is asked.
        loop = cast("Any", self)
        ready, scheduled = loop._ready, loop._scheduled
        while scheduled and scheduled[0]._cancelled:
            self._drop_timer(heapq.heappop(scheduled))
        if not ready:
            self._wait_for_page(self._idle_time())
        else:
            self._wait_for_page(0)
        horizon = self.time() + loop._clock_resolution
        while scheduled and scheduled[0]._when <= horizon:
            timer = heapq.heappop(scheduled)
            timer._scheduled = False
            ready.append(timer)
        for _ in range(len(ready)):
            if not ready:
                break
            handle = ready.popleft()
            if not handle._cancelled:
                handle._run()

    def _idle_time(self) -> float | None:
        loop = cast("Any", self)
        if loop._stopping:
            return 0
        scheduled = loop._scheduled
        return max(0.0, scheduled[0]._when - self.time()) if scheduled else None

    def _drop_timer(self, timer: Any) -> None:
        loop = cast("Any", self)
        loop._timer_cancelled_count = max(0, loop._timer_cancelled_count - 1)
        timer._scheduled = False

    def _process_events(self, event_list: object) -> None:
        """Nothing to do: the page's events reach their futures inside the wait."""

    def _write_to_self(self) -> None:
        """Nothing to wake: there is one thread, and it is the one that calls this."""

    @override
    async def create_connection(self, *_: Any, **__: Any) -> NoReturn:
        raise _no_sockets()

    @override
    async def create_server(self, *_: Any, **__: Any) -> NoReturn:
        raise _no_sockets()

    @override
    async def create_datagram_endpoint(self, *_: Any, **__: Any) -> NoReturn:
        raise _no_sockets()

    @override
    async def sock_connect(self, *_: Any, **__: Any) -> NoReturn:
        raise _no_sockets()

    @override
    async def subprocess_exec(self, *_: Any, **__: Any) -> NoReturn:
        raise NotImplementedError(PROCESSES)

    @override
    async def subprocess_shell(self, *_: Any, **__: Any) -> NoReturn:
        raise NotImplementedError(PROCESSES)

    @override
    def call_exception_handler(self, context: dict[str, Any]) -> None:
        """Say nothing of a task that was interrupted with its run: the run's result tells that."""
        if not isinstance(context.get("exception"), KeyboardInterrupt):
            super().call_exception_handler(context)

    def run_in_executor(self, executor: object, func: Callable[..., Any], *args: object) -> Any:
        """Run ``func`` at once: there are no threads in the browser's interpreter."""
        future = self.create_future()
        try:
            future.set_result(func(*args))
        except Exception as error:  # noqa: BLE001 - handed to whoever awaits the future
            future.set_exception(error)
        return future


def _no_sockets() -> NotImplementedError:
    return NotImplementedError(f"{SOCKETS} {NETWORK.advice()}")


class BridgeLoopPolicy(events._AbstractEventLoopPolicy):  # pyright: ignore[reportPrivateUsage]
    """Makes ``asyncio.run`` and ``asyncio.new_event_loop`` use the bridge."""

    def __init__(self, new_loop: Callable[[], BridgeLoop], session_loop: BridgeLoop) -> None:
        self._new_loop = new_loop
        self._current: asyncio.AbstractEventLoop = session_loop
        self._session_loop = session_loop

    def get_event_loop(self) -> asyncio.AbstractEventLoop:
        return self._session_loop if self._current.is_closed() else self._current

    def set_event_loop(self, loop: asyncio.AbstractEventLoop | None) -> None:
        self._current = loop or self._session_loop

    def new_event_loop(self) -> BridgeLoop:
        return self._new_loop()


def install(new_loop: Callable[[], BridgeLoop]) -> BridgeLoop:
    """Replace Pyodide's loop by ours, for good. Returns the loop of the session."""
    session_loop = new_loop()
    session_loop.policy = BridgeLoopPolicy(new_loop, session_loop)
    session_loop.use_policy()
    original_run = asyncio.runners.run

    def run[T](main: Coroutine[Any, Any, T], **options: Any) -> T:
        """``asyncio.run`` that may also be called while the session's loop is running."""
        running = asyncio._get_running_loop()  # pyright: ignore
        if isinstance(running, BridgeLoop):
            return running.run_until_complete(main)
        return original_run(main, **options)

    asyncio.run = asyncio.runners.run = run
    original_create_task = tasks.create_task

    def create_task[T](coroutine: Coroutine[Any, Any, T], **options: Any) -> asyncio.Task[T]:
        """``asyncio.create_task`` that also works where nothing is awaited, as in notebooks.

        The task goes on as soon as anything waits.
        """
        if asyncio._get_running_loop() is None:  # pyright: ignore
            return session_loop.create_task(coroutine, **options)
        return original_create_task(coroutine, **options)

    asyncio.create_task = tasks.create_task = create_task
    return session_loop
