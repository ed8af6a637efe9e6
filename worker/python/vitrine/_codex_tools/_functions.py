"""Tools as functions of a module: arguments in the order of their schema, or by name."""

from __future__ import annotations

import inspect
from collections.abc import Coroutine
from typing import Any, ClassVar, override

from vitrine._codex_tools._folders import resolve_paths
from vitrine._errors import ToolArgumentError
from vitrine._operation import Caller, Hear, Steps
from vitrine._records import Tool, ToolCallable
from vitrine._tools import CallableProxy, ToolCall, ToolProxy

MODULE = "codex_tools"


class ModuleCaller:
    """The bridge, for those who mean the tools that the module has."""

    def __init__(self, bridge: Caller) -> None:
        self._bridge = bridge

    def request(self, method: str, arguments: dict[str, object], hear: Hear | None = None) -> Any:
        """Ask the page and block until it answered."""
        return self._bridge.request(method, {**arguments, "directory": MODULE}, hear)

    async def request_async(
        self, method: str, arguments: dict[str, object], hear: Hear | None = None
    ) -> Any:
        """Ask the page; others run until it answered."""
        return await self._bridge.request_async(method, {**arguments, "directory": MODULE}, hear)

    def run_coroutine[T](self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Drive a coroutine to its end."""
        return self._bridge.run_coroutine(coroutine)


class ModuleCall(ToolCall):
    """A call of the module: what it is given is written as Python's own functions have it."""

    _root: ClassVar[str] = MODULE

    @override
    def _signature_of(self, described: ToolCallable) -> inspect.Signature:
        return _signature(described)

    @override
    def _arguments(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        try:
            arguments = super()._arguments(args, kwargs)
        except TypeError as error:
            raise TypeError(self._with_signature(str(error))) from None
        return resolve_paths(arguments, self._parameters) if self._tool.on_files else arguments

    @override
    def _call(self, arguments: dict[str, Any]) -> Steps[Any]:
        try:
            return (yield from super()._call(arguments))
        except ToolArgumentError as error:
            # One that a call inside of this one raised is about another tool.
            if error.tool_name == self._tool.name:
                error.args = (self._with_signature(str(error)), *error.args[1:])
            raise

    def _with_signature(self, text: str) -> str:
        signature = getattr(self, "__signature__", None)
        if not isinstance(signature, inspect.Signature):
            return text
        call = f"{self._label}{signature.format(quote_annotation_strings=False)}"
        return text if call in text else f"{text.removesuffix('.')}. {call}"


class ToolFunction(ModuleCall, CallableProxy):
    """A tool, or a callable of one, as a function."""

    def __init__(
        self,
        bridge: Caller,
        tool: Tool,
        described: ToolCallable | None,
        *,
        name: str,
        label: str | None = None,
    ) -> None:
        super().__init__(bridge, tool, name, described)
        if label is not None:
            self.__name__, self._label = label, f"{MODULE}.{label}"
        self.__qualname__, self.__module__ = self.__name__, MODULE


class ToolObject(ModuleCall, ToolProxy):
    """A tool with several callables, its attributes."""

    @override
    def _recipe_of(self, name: str, described: ToolCallable | None) -> CallableProxy:
        return ToolFunction(self._bridge, self._tool, described, name=name)


def member_of(bridge: Caller, tool: Tool, *, name: str, is_function: bool) -> ToolCall:
    """What the module has under a name: a function, or an object with several.

    Args:
        bridge: The way to the page.
        tool: The tool that has the name.
        name: The name that was asked for.
        is_function: Whether it is that of the one callable the tool is told with.
    """
    match tool.callables:
        case (described,) if is_function:
            return ToolFunction(bridge, tool, described, name=described.name, label=name)
        case (described,) if described.name == tool.name and not tool.dynamic:
            return ToolFunction(bridge, tool, described, name=described.name)
        case _:
            return ToolObject(bridge, tool)


def _signature(described: ToolCallable) -> inspect.Signature:
    """The parameters in the order of their schema, as far as Python can write that.

    It has no parameter without a default behind one with a default: from there on they are
    written by name. Calls take them in their order all the same.
    """
    kind: Any = inspect.Parameter.POSITIONAL_OR_KEYWORD
    had_default = False
    parameters: dict[str, inspect.Parameter] = {}
    for item in described.parameters:
        if not item.alias.isidentifier():
            continue
        if item.required and had_default:
            kind = inspect.Parameter.KEYWORD_ONLY
        had_default = had_default or not item.required
        parameters[item.alias] = inspect.Parameter(
            item.alias,
            kind,
            default=inspect.Parameter.empty if item.required else item.default,
            annotation=item.python_type,
        )
    returns = described.returns or inspect.Signature.empty
    return inspect.Signature(list(parameters.values()), return_annotation=returns)


__all__ = ["MODULE", "ModuleCaller", "ToolFunction", "ToolObject", "member_of"]
