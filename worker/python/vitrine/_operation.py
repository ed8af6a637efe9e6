"""Calls that work plain and awaited alike.

What a call does is written once, as a generator of steps that name what to wait
for; two drivers carry the steps out, one by blocking and one by awaiting.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Awaitable, Callable, Coroutine, Generator
from functools import update_wrapper
from typing import Any, ClassVar, Concatenate, Protocol, Self, cast, overload

from vitrine._call_site import is_awaited

type Hear = Callable[[object], None]
"""What is called with each part of an answer that comes before the rest."""


class Caller(Protocol):
    """What the namespaces need of the bridge."""

    def request(self, method: str, arguments: dict[str, object], hear: Hear | None = None) -> Any:
        """Ask the page and block until it answered."""
        ...

    async def request_async(
        self, method: str, arguments: dict[str, object], hear: Hear | None = None
    ) -> Any:
        """Ask the page; others run until it answered."""
        ...

    def run_coroutine[T](self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Drive a coroutine to its end, also from inside a running loop."""
        ...


class Request:
    """A step: ask the page.

    Args:
        method: What is asked.
        arguments: With which arguments.
        hear: Is called with each part of the answer that comes before the rest.
    """

    __slots__ = ("_arguments", "_hear", "_method")

    def __init__(self, method: str, arguments: dict[str, object], hear: Hear | None = None) -> None:
        self._method = method
        self._arguments = arguments
        self._hear = hear

    def wait(self, bridge: Caller) -> Any:
        return bridge.request(self._method, self._arguments, self._hear)

    async def wait_async(self, bridge: Caller) -> Any:
        return await bridge.request_async(self._method, self._arguments, self._hear)


class Settle:
    """A step: await something that session code returned."""

    __slots__ = ("_awaitable",)

    def __init__(self, awaitable: Awaitable[Any]) -> None:
        self._awaitable = awaitable

    def wait(self, bridge: Caller) -> Any:
        with _nested(_DRIVEN_COROUTINE):
            return bridge.run_coroutine(_settle(self._awaitable))

    async def wait_async(self, _bridge: Caller) -> Any:
        return await self._awaitable


class Call:
    """A step: call a function of session code.

    The driver calls it, not the generator: a resumed generator takes a share of
    the browser's stack, and session code may come back here to any depth.
    """

    __slots__ = ("_function",)

    def __init__(self, function: Callable[[], object]) -> None:
        self._function = function

    def wait(self, _bridge: Caller) -> Any:
        with _nested(_CALLED_FUNCTION):
            return self._function()

    async def wait_async(self, _bridge: Caller) -> Any:
        return self.wait(_bridge)


# Running out of the browser's stack is fatal for the interpreter, and Python's own limit can come
# too late. Measured with 480 KB in Node: 50 driven coroutines, or 105 functions. Workers of
# Chromium 156 have room for more; other engines were not measured.
_DRIVEN_COROUTINE = 2
_CALLED_FUNCTION = 1
_DEEPEST = 80


class _nested:  # noqa: N801 - used like a function, and cheaper than a generator
    """Counts what is on the stack, and stops before the browser would."""

    depth = 0

    def __init__(self, weight: int) -> None:
        self._weight = weight

    def __enter__(self) -> None:
        if _nested.depth + self._weight > _DEEPEST:
            raise RecursionError(
                "maximum recursion depth exceeded: skills run too deep inside one another"
            )
        _nested.depth += self._weight

    def __exit__(self, *_error: object) -> None:
        _nested.depth -= self._weight


async def _settle(awaitable: Awaitable[Any]) -> Any:
    return await awaitable


type Steps[T] = Generator[Request | Settle | Call, Any, T]


def run_steps[T](bridge: Caller, steps: Steps[T]) -> T:
    """Carry out ``steps``, blocking."""
    try:
        step = next(steps)
        while True:
            try:
                answer = step.wait(bridge)
            except BaseException as error:  # noqa: BLE001 - the steps decide what it means
                step = steps.throw(error)
            else:
                step = steps.send(answer)
    except StopIteration as end:
        return cast("T", end.value)


async def await_steps[T](bridge: Caller, steps: Steps[T]) -> T:
    """Carry out ``steps``, awaiting."""
    try:
        step = next(steps)
        while True:
            try:
                answer = await step.wait_async(bridge)
            except BaseException as error:  # noqa: BLE001 - the steps decide what it means
                step = steps.throw(error)
            else:
                step = steps.send(answer)
    except StopIteration as end:
        return cast("T", end.value)


class Operation[**P, T]:
    """Something session code calls: ``f()`` waits, ``await f()`` lets others run meanwhile.

    ``call_sync`` and ``call_async`` say which, whatever the place of the call;
    what ``call_async`` returns can be kept and gathered.
    """

    _bridge: Caller

    def _steps(self, /, *args: P.args, **kwargs: P.kwargs) -> Steps[T]:
        raise NotImplementedError

    def __call__(self, /, *args: P.args, **kwargs: P.kwargs) -> T:
        steps = self._steps(*args, **kwargs)
        if is_awaited(sys._getframe(1)):
            # The caller awaits this call, so for it the result is a T after all.
            return cast("T", await_steps(self._bridge, steps))
        return run_steps(self._bridge, steps)

    def call_sync(self, /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Make the call and wait for its result."""
        return run_steps(self._bridge, self._steps(*args, **kwargs))

    def call_async(self, /, *args: P.args, **kwargs: P.kwargs) -> Coroutine[Any, Any, T]:
        """Make the call when awaited; several of these overlap."""
        return await_steps(self._bridge, self._steps(*args, **kwargs))


class Namespace:
    """An object of session code whose methods are operations over one bridge."""

    _label: ClassVar[str]

    def __init__(self, bridge: Caller) -> None:
        self._bridge = bridge

    def __setattr__(self, name: str, value: object) -> None:
        # A slip such as `artifacts.save = 1` must not outlive the run.
        if not name.startswith("_"):
            raise AttributeError(f"{self._label}.{name} cannot be assigned to.")
        super().__setattr__(name, value)


class BoundOperation[**P, T](Operation[P, T]):
    """A method of a namespace, bound to it."""

    def __init__(self, bridge: Caller, method: Callable[P, Steps[T]]) -> None:
        update_wrapper(self, method)
        self._bridge = bridge
        self._method = method
        self._label = method.__qualname__

    @property
    def __signature__(self) -> inspect.Signature:
        signature = inspect.signature(self._method)
        # Steps are how the method is written; its callers get what the steps return.
        result = str(signature.return_annotation).removeprefix("Steps[").removesuffix("]")
        return signature.replace(return_annotation=result)

    def __repr__(self) -> str:
        return f"<{self._label}{self.__signature__.format(quote_annotation_strings=False)}>"

    def _steps(self, /, *args: P.args, **kwargs: P.kwargs) -> Steps[T]:
        return self._method(*args, **kwargs)


class operation[N: Namespace, **P, T]:  # noqa: N801 - used as a decorator, like property
    """Makes an operation of a method that is written as steps."""

    def __init__(self, method: Callable[Concatenate[N, P], Steps[T]]) -> None:
        self._method = method
        self.__doc__ = method.__doc__

    def __set_name__(self, owner: type[N], name: str) -> None:
        self._name = name
        # So that a TypeError says "artifacts.save() missing 1 required positional argument".
        self._method.__qualname__ = f"{owner._label}.{name}"

    @overload
    def __get__(self, instance: None, owner: type[N]) -> Self: ...
    @overload
    def __get__(self, instance: N, owner: type[N]) -> BoundOperation[P, T]: ...
    def __get__(self, instance: N | None, owner: type[N]) -> Self | BoundOperation[P, T]:
        if instance is None:
            return self
        method = cast("Callable[P, Steps[T]]", self._method.__get__(instance))
        bound = BoundOperation(instance._bridge, method)
        instance.__dict__[self._name] = bound
        return bound
