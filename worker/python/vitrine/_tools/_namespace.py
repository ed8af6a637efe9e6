"""The namespace ``tools``: every registered tool as an object with methods."""

from __future__ import annotations

import inspect
from collections.abc import Generator, Iterable, Sequence
from typing import Any, ClassVar, override

from vitrine._arguments import require_limit, require_text
from vitrine._errors import RPCError, ToolError, name_call
from vitrine._operation import Caller, Namespace, Operation, Request, Steps, operation
from vitrine._records import (
    SearchResults,
    Tool,
    ToolCallable,
    ToolParameter,
    wire_fields,
    wire_items,
    wire_text,
)

_NAMES_SHOWN = 100
_NAMES_COMPLETED = 500

# The methods called `list` hide the builtin in the annotations of their classes.
type Tools = list[Tool]
type Callables = list[ToolCallable]


class Description(dict[str, str]):
    """Descriptions by name. It can be awaited too, for code written where that was needed."""

    def __await__(self) -> Generator[Any, Any, dict[str, str]]:
        return self
        yield


class ToolCall(Operation[..., Any]):
    """What a tool and a recipe have in common: a call that the page carries out."""

    _root: ClassVar[str] = "tools"

    def __init__(
        self, bridge: Caller, tool: Tool, callable_name: str | None, described: ToolCallable | None
    ) -> None:
        self._bridge = bridge
        self._tool = tool
        self._callable_name = callable_name
        self._parameters: Sequence[ToolParameter] = described.parameters if described else []
        self._label = f"{self._root}.{tool.alias}"
        if described is not None:
            self.__signature__ = self._signature_of(described)

    def _steps(self, /, *args: Any, **kwargs: Any) -> Steps[Any]:
        return self._call(self._arguments(args, kwargs))

    def _call(self, arguments: dict[str, Any]) -> Steps[Any]:
        call: dict[str, object] = {
            "tool": self._tool.name,
            "callable": self._callable_name,
            "arguments": arguments,
        }
        try:
            return (yield Request("tools.call", call))
        except ToolError as error:
            name_call(error, self._called)
            raise

    @property
    def _called(self) -> str:
        """The name of the tool as the page has it: ``weather``, ``github.get_repo``."""
        tool, recipe = self._tool.name, self._callable_name
        return tool if recipe is None or recipe == tool else f"{tool}.{recipe}"

    def _signature_of(self, described: ToolCallable) -> inspect.Signature:
        """The signature as Python's own tools read it: ``help``, completion."""
        return _signature(described)

    def _arguments(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        """Name the positional arguments; the page checks the rest."""
        if not args:
            return kwargs
        if len(args) > len(self._parameters):
            raise TypeError(self._too_many(len(args)))
        arguments: dict[str, Any] = {}
        for parameter, value in zip(self._parameters, args, strict=False):
            for name in (parameter.name, parameter.alias):
                if name in kwargs:
                    raise TypeError(f"{self._label}() got multiple values for argument {name!r}")
            arguments[parameter.name] = value
        return arguments | kwargs

    def _too_many(self, given: int) -> str:
        if not self._parameters and self._callable_name is None:
            return f"{self._label}() takes keyword arguments only"
        known = len(self._parameters)
        arguments = "argument" if known == 1 else "arguments"
        were = "was" if given == 1 else "were"
        return f"{self._label}() takes {known} {arguments} but {given} {were} given"


class CallableProxy(ToolCall):
    """A recipe of a tool, called like a function.

    A plain call waits for its result; so does ``call_sync``. An awaited call and
    ``call_async`` let others run meanwhile.
    """

    def __init__(
        self, bridge: Caller, tool: Tool, name: str, described: ToolCallable | None
    ) -> None:
        super().__init__(bridge, tool, name, described)
        alias = described.alias if described else name
        self._described = described
        # The recipe that has the tool's name is what a call of the tool means.
        if name != tool.name:
            self._label = f"{self._root}.{tool.alias}.{alias}"
        self.__name__, self.__qualname__ = alias, self._label
        if described is not None:
            self.__doc__ = _documentation(described)

    def describe(self) -> Description:
        """What each parameter means."""
        return Description({item.name: item.description for item in self._parameters})

    def signature(self) -> str:
        """How to call it, as text; below it the types that it refers to, if there are any."""
        types = self._stub("types") if self._described and self._described.typed else ""
        return f"{self._line()}\n\n{types}" if types else self._line()

    def _line(self) -> str:
        return self._described.signature() if self._described else f"{self.__name__}(**arguments)"

    def _stub(self, part: str) -> str:
        wanted = {"tool": self._tool.name, "callable": self._callable_name}
        found = self._bridge.request("tools.stub", dict[str, object](wanted))
        return wire_text(wire_fields(found, "a stub"), part) if found is not None else ""

    def _help_text(self) -> str:
        return f"{self._label}\n\n{self._stub('stub') or self._line()}"

    @override
    def __repr__(self) -> str:
        return f"<{self._label}{self._line().removeprefix(self.__name__)}>"


class ToolProxy(ToolCall):
    """A registered tool. Its recipes are its attributes.

    Called itself, it uses the recipe that has the tool's name; a tool without
    one takes the arguments of its schema as they are.
    """

    def __init__(self, bridge: Caller, tool: Tool) -> None:
        same_name = next((item for item in tool.callables if item.name == tool.name), None)
        super().__init__(bridge, tool, same_name.name if same_name else None, same_name)
        self._same_name = same_name
        self._recipes = {item.name: self._recipe_of(item.name, item) for item in tool.callables}
        self._aliases = {item.alias: item.name for item in reversed(tool.callables)}
        self.__name__, self.__qualname__ = tool.alias, self._label
        self.__doc__ = repr(tool)

    def __getattr__(self, name: str) -> CallableProxy:
        if name.startswith("_"):
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")
        recipe = self._recipe(name)
        if recipe is None:
            raise AttributeError(self._unknown(name))
        # Found by Python itself from now on.
        self.__dict__[name] = recipe
        return recipe

    def __getitem__(self, name: str) -> CallableProxy:
        recipe = self._recipe(name)
        if recipe is None:
            raise KeyError(self._unknown(name))
        return recipe

    def list(self) -> Callables:
        """The tool's callables, all of them."""
        return list(self._whole().callables)

    def describe(self) -> Description:
        """What each parameter means; without a recipe of the tool's name, what each does."""
        if self._same_name is not None:
            return self._recipes[self._same_name.name].describe()
        return Description({item.name: item.description for item in self._whole().callables})

    def signature(self) -> str:
        """How to call it, as text: a line for each callable, or for the first of many."""
        if self._same_name is not None and len(self._recipes) == 1:
            return self._recipes[self._same_name.name].signature()
        return "\n".join([*self._tool.signatures(), *self._tool.left()])

    @override
    def __dir__(self) -> Iterable[str]:
        return sorted({*object.__dir__(self), *self._names()})

    @override
    def __repr__(self) -> str:
        if self._tool.more > 0:
            count = len(self._recipes) + self._tool.more
            hint = f'tools.search("words") finds one, help({self._label}.name) explains it'
            return f"<{self._label}: {count} callables; {hint}>"
        return f"<{self._label}: {', '.join(self._tool.signatures())}>"

    def _help_text(self) -> str:
        if self._same_name is not None and len(self._recipes) == 1:
            return self._recipes[self._same_name.name]._help_text()
        calls = [self._call_text(item) for item in self._tool.callables]
        about = [self._tool.description] if self._tool.description else []
        hint = f"help({self._label}.name) explains one."
        return "\n\n".join([self._label, *about, "\n".join([*calls, *self._tool.left()]), hint])

    def _call_text(self, item: ToolCallable) -> str:
        """The call of a recipe; of one that has the tool's name the shorter one: ``tools.x(…)``."""
        if item.name == self._tool.name:
            return self._label + item.signature().removeprefix(item.alias)
        return f"{self._label}.{item.signature()}"

    def _recipe(self, name: str) -> CallableProxy | None:
        recipe = self._recipes.get(name) or self._recipes.get(self._aliases.get(name, name))
        if recipe is None and self._tool.more > 0:
            recipe = self._fetch(name)
        if recipe is None and self._tool.dynamic:
            recipe = self._recipe_of(name, None)
        return recipe

    def _recipe_of(self, name: str, described: ToolCallable | None) -> CallableProxy:
        return CallableProxy(self._bridge, self._tool, name, described)

    def _fetch(self, name: str) -> CallableProxy | None:
        """Ask for one callable of many."""
        wanted = {"tool": self._tool.name, "callable": name}
        found = self._bridge.request("tools.callable", dict[str, object](wanted))
        if found is None:
            return None
        described = ToolCallable.from_wire(found)
        recipe = self._recipe_of(described.name, described)
        self._recipes[described.name] = recipe
        self._aliases.setdefault(described.alias, described.name)
        return recipe

    def _whole(self) -> Tool:
        """The tool with all its callables."""
        if self._tool.more <= 0:
            return self._tool
        found = self._bridge.request("tools.callables", {"name": self._tool.name})
        return self._tool if found is None else Tool.from_wire(found)

    def _names(self) -> Iterable[str]:
        if self._tool.more <= 0:
            return self._aliases
        return [item.alias for item in self._whole().callables]

    def _unknown(self, name: str) -> str:
        return f"Unknown callable: {self._tool.name}.{name}. Available: {_joined(self._names())}"


class ToolsNamespace(Namespace):
    """The tools of this session.

    ``tools.<tool>.<recipe>(argument=…)`` calls one. Where a name is no Python
    identifier, ``tools["my-tool"]`` and ``tools.my_tool`` both reach it.
    """

    _label: ClassVar[str] = "tools"

    def __init__(self, bridge: Caller) -> None:
        super().__init__(bridge)
        self._proxies: dict[str, ToolProxy] = {}
        self._listed: dict[str, Tool] | None = None

    @operation
    def list(self) -> Steps[Tools]:
        """All tools."""
        found = yield Request("tools.list", {})
        return [Tool.from_wire(item) for item in wire_items(found)]

    @operation
    def search(self, query: str, limit: int = 10) -> Steps[SearchResults]:
        """The tools that fit best. ``.more`` of the result says how many others match.

        Args:
            query: Part of a name, or words of descriptions and tags; "" matches all.
            limit: How many to return at most.
        """
        require_text("tools.search() query", query)
        require_limit("tools.search() limit", limit)
        found = yield Request("tools.search", {"query": query, "limit": limit})
        fields = wire_fields(found, "search results")
        tools, more = wire_items(fields.get("tools")), fields.get("more")
        return SearchResults(map(Tool.from_wire, tools), more if isinstance(more, int) else 0)

    def __getattr__(self, name: str) -> ToolProxy:
        if name.startswith("_"):
            raise AttributeError(f"tools has no attribute {name!r}")
        proxy = self._find(name)
        if proxy is None:
            raise AttributeError(self._unknown(name))
        return proxy

    def __getitem__(self, name: str) -> ToolProxy:
        require_text("The name of a tool", name)
        proxy = self._find(name)
        if proxy is None:
            raise KeyError(self._unknown(name))
        return proxy

    @override
    def __dir__(self) -> Iterable[str]:
        if self._listed is None:
            try:
                # Who asks for all names looks at each of them next. There may be ten thousand.
                found = self.search.call_sync("", limit=_NAMES_COMPLETED)
            except RPCError:
                found = list[Tool]()
            self._listed = {tool.alias: tool for tool in reversed(found)}
        return sorted({*object.__dir__(self), *self._listed})

    @override
    def __repr__(self) -> str:
        return "<tools: tools.list() and tools.search(query) show what there is>"

    def _find(self, name: str) -> ToolProxy | None:
        proxy = self._proxies.get(name)
        if proxy is None:
            tool = self._look_up(name)
            if tool is None:
                return None
            proxy = self._proxies[name] = ToolProxy(self._bridge, tool)
        return proxy

    def _look_up(self, name: str) -> Tool | None:
        known = (self._listed or {}).get(name)
        if known is not None:
            return known
        # By name or alias: one tool, since there may be ten thousand.
        found = self._bridge.request("tools.get", {"name": name})
        return None if found is None else Tool.from_wire(found)

    def _aliases(self) -> Sequence[str]:
        return [str(name) for name in wire_items(self._bridge.request("tools.names", {}))]

    def _help_text(self) -> str:
        aliases = _joined(self._aliases())
        how = 'tools.search("words") finds tools, help(tools.name) explains one.'
        return "\n\n".join(["tools", f"There are: {aliases}", how])

    def _unknown(self, name: str) -> str:
        # What was listed before may be older than the answer that there is no such tool.
        self._listed = None
        return f"Unknown tool: {name}. Available: {_joined(self._aliases())}"


def forget_tools(namespace: ToolsNamespace) -> None:
    """Ask the page anew about every tool, since they changed."""
    namespace._proxies.clear()
    namespace._listed = None


def _joined(names: Iterable[str]) -> str:
    ordered = sorted(names)
    more = len(ordered) - _NAMES_SHOWN
    shown = ", ".join(ordered[:_NAMES_SHOWN])
    return f"{shown} (and {more} more)" if more > 0 else shown


def _documentation(described: ToolCallable) -> str:
    lines = [described.description, described.signature()]
    documented = [item for item in described.parameters if item.description]
    if documented:
        arguments = (f"    {item.alias}: {item.description}" for item in documented)
        lines.append("\n".join(["Args:", *arguments]))
    return "\n\n".join(line for line in lines if line)


def _signature(described: ToolCallable) -> inspect.Signature:
    """The signature as Python's own tools read it: ``help``, completion."""
    parameters = sorted(described.parameters, key=lambda item: not item.required)
    by_alias = {item.alias: item for item in parameters if item.alias.isidentifier()}
    return inspect.Signature(
        [
            inspect.Parameter(
                alias,
                inspect.Parameter.KEYWORD_ONLY,
                default=inspect.Parameter.empty if item.required else item.default,
                annotation=item.python_type,
            )
            for alias, item in by_alias.items()
        ]
    )


__all__ = ["CallableProxy", "Description", "ToolCall", "ToolProxy", "ToolsNamespace"]
