"""``from vitrine import tool``: functions of session code that are tools of their session.

The page registers the tool and sends every call of it through its own chain of checks and
into its journal, whoever makes it; the function runs here.
"""

from __future__ import annotations

import functools
import inspect
import math
import warnings
from collections.abc import Callable, Mapping
from typing import Any, overload

from vitrine._beginnings import shorten
from vitrine._errors import ToolDefinitionError, ToolNotFoundError
from vitrine._operation import Call, Caller
from vitrine._tools._schema import TypedSignature

_NO_DESCRIPTION = "<no description>"
_LONGEST_SOURCE = 20_000


class DefinedTool[**P, T]:
    """A function that is a tool of its session.

    Calling it calls the function, like before. A call of ``tools.<name>`` goes through the
    session: it is checked, journalled, and others can make it too.

    Attributes:
        fn: The function.
        name: Under which ``tools`` has it.
        doc: Its documentation.
        signature: As Python writes it.
        is_async: Whether the function is a coroutine function.
    """

    def __init__(self, fn: Callable[P, T], timeout: float | None) -> None:
        self.fn = fn
        self.name = _name_of(fn)
        self.doc = inspect.cleandoc(fn.__doc__ or "").strip()
        self._typed = TypedSignature(fn, self.name)
        self.signature = self._typed.signature
        self.is_async = inspect.iscoroutinefunction(fn)
        self._timeout = _milliseconds(timeout, self.name)
        functools.update_wrapper(self, fn)

    def __call__(self, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self.fn(*args, **kwargs)

    def __repr__(self) -> str:
        return f"<tool {self.name}{self.signature.format(quote_annotation_strings=False)}>"

    def _definition(self) -> dict[str, object]:
        """The tool as the page is told of it."""
        return {
            "name": self.name,
            "description": self.doc or _NO_DESCRIPTION,
            "inputSchema": self._typed.input_schema(),
            "outputSchema": self._typed.output_schema(),
            "timeout": self._timeout,
            "source": _source_of(self.fn),
        }

    def _apply(self, arguments: Mapping[str, object]) -> object:
        """Call the function with arguments by name; of an asynchronous one, its coroutine."""
        bound = self._typed.bind(arguments)
        return self.fn(*bound.args, **bound.kwargs)  # pyright: ignore


class Definitions:
    """The tools that the code of this interpreter has defined."""

    def __init__(self) -> None:
        self._tools: dict[str, DefinedTool[..., Any]] = {}
        self._bridge: Caller | None = None
        self._changed: Callable[[], None] = lambda: None

    def connect(self, bridge: Caller, changed: Callable[[], None]) -> None:
        """Belong to a session.

        Args:
            bridge: The way to its page.
            changed: Called after a tool was registered.
        """
        self._tools.clear()
        self._bridge, self._changed = bridge, changed

    def add(self, tool: DefinedTool[..., Any]) -> None:
        """Register a tool with the page.

        Raises:
            ToolNotAllowedError: The session's rules, or a person, said no.
            ValueError: The page has a tool of that name.
            ToolDefinitionError: There is no session.
        """
        if self._bridge is None:
            raise ToolDefinitionError("There is no session here that could have tools")
        self._bridge.request("tools.register", tool._definition())
        self._tools[tool.name] = tool
        self._changed()

    def apply(self, name: str, arguments: Mapping[str, object]) -> object:
        """Call a tool's function for the page; of an asynchronous one, get its coroutine.

        Raises:
            ToolNotFoundError: No code of this interpreter has defined it.
        """
        tool = self._tools.get(name)
        if tool is None or self._bridge is None:
            raise ToolNotFoundError(f"Tool '{name}' was not defined by code of this interpreter")
        return Call(lambda: tool._apply(arguments)).wait(self._bridge)


DEFINITIONS = Definitions()
"""The definitions of this interpreter: there is one ``tool``."""


@overload
def tool[**P, T](function: Callable[P, T], /) -> DefinedTool[P, T]: ...
@overload
def tool[**P, T](
    *, timeout: float | None = None
) -> Callable[[Callable[P, T]], DefinedTool[P, T]]: ...
def tool(
    function: Callable[..., Any] | None = None, /, *, timeout: float | None = None
) -> DefinedTool[..., Any] | Callable[[Callable[..., Any]], DefinedTool[..., Any]]:
    """Make a typed function a tool of this session: ``tools.<its name>``.

    Every parameter and the result have type hints, from which its schema is made; the
    docstring is its description. A tool of the same name that session code defined before is
    replaced. The tool is gone with the interpreter: after a reset its definition has to run
    again.

    Args:
        function: The function, plain or asynchronous.
        timeout: Seconds that one call may take. Default: 60.

    Raises:
        ToolDefinitionError: A hint is missing or cannot be resolved. Nothing was registered.
        ToolNotAllowedError: The session's rules, or a person, said no.
        ValueError: The page has a tool of that name.
    """
    if function is None:
        return functools.partial(_define, timeout=timeout)
    return _define(function, timeout=timeout)


def _define(function: Callable[..., Any], *, timeout: float | None) -> DefinedTool[..., Any]:
    if isinstance(function, DefinedTool):
        function = function.fn
    defined = DefinedTool(function, timeout)
    if not defined.doc:
        warnings.warn(f"Tool '{defined.name}' has no docstring", stacklevel=3)
    DEFINITIONS.add(defined)
    return defined


def _name_of(function: object) -> str:
    name = getattr(function, "__name__", None)
    if not callable(function) or isinstance(function, type) or not isinstance(name, str):
        raise ToolDefinitionError(f"Only a function can be a tool, not {type(function).__name__!r}")
    if not name.isidentifier():
        raise ToolDefinitionError(f"{name} has no name that code could call")
    return name


def _milliseconds(timeout: float | None, name: str) -> int | None:
    if timeout is None:
        return None
    if not 0 < timeout < math.inf:
        raise ToolDefinitionError(f"The timeout of {name} has to be more than 0 seconds")
    return max(1, round(timeout * 1000))


def _source_of(function: Callable[..., object]) -> str:
    """What a person is shown who is asked whether the tool may be registered."""
    try:
        source = inspect.getsource(function)
    except OSError, TypeError:
        return ""
    return shorten(source, _LONGEST_SOURCE)


__all__ = ["DEFINITIONS", "DefinedTool", "Definitions", "tool"]
