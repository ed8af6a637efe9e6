"""The module that ``import codex_tools`` finds, in every session.

It is found before files of that name: what code calls is the session's tools, whatever lies in
its folder. The rest of the path is as it was.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING, Any, cast, override

from vitrine import _errors
from vitrine._arguments import require_text
from vitrine._codex_tools._functions import MODULE, ModuleCaller, member_of
from vitrine._errors import RPCError
from vitrine._operation import Caller
from vitrine._records import Tool, wire_fields, wire_items
from vitrine._tools import ToolCall

if TYPE_CHECKING:
    from importlib.abc import Loader

_DOCUMENTATION = """The tools of this session, each a function.

`codex_tools.read_file("notes.txt")` calls one, with arguments in the order of its schema or by
name. `codex_tools["a-b"]` has its original name. Those of an MCP server are
`codex_tools.mcp__server__tool`, or `codex_tools.server.tool`."""
_NAMES_SHOWN = 40
# Comparing with ten thousand names takes seconds.
_NAMES_COMPARED = 2000
_NEAR = 3
_ERRORS = (
    "CallBudgetError",
    "NestingDepthError",
    "RPCError",
    "ToolArgumentError",
    "ToolCallError",
    "ToolError",
    "ToolNotAllowedError",
    "ToolNotFoundError",
    "ToolRecursionError",
    "ToolTimeoutError",
    "ToolUnavailableError",
)


class CodexTools(ModuleType):
    """The module. Its attributes are asked of the page as they are used, and kept."""

    def __init__(self, bridge: Caller) -> None:
        super().__init__(MODULE, _DOCUMENTATION)
        self._bridge = ModuleCaller(bridge)
        self._known: dict[str, ToolCall] = {}
        self.__dict__.update({name: getattr(_errors, name) for name in _ERRORS})

    @property
    def __all__(self) -> list[str]:
        return self._names()

    @property
    def __pyi__(self) -> str:
        """The module as a stub file, ``codex_tools.pyi``."""
        return str(self._bridge.request("tools.stubs", {}))

    def __getattr__(self, name: str) -> ToolCall:
        if name.startswith("_"):
            raise AttributeError(f"module {MODULE!r} has no attribute {name!r}")
        found = self._find(name)
        if found is None:
            raise AttributeError(self._unknown(name))
        return found

    def __getitem__(self, name: str) -> ToolCall:
        require_text("The name of a tool", name)
        found = self._find(name)
        if found is None:
            raise KeyError(self._unknown(name))
        return found

    @override
    def __setattr__(self, name: str, value: object) -> None:
        # A slip such as `codex_tools.shell = 1` must not outlive the run.
        if not name.startswith("_"):
            raise AttributeError(f"{MODULE}.{name} cannot be assigned to.")
        super().__setattr__(name, value)

    @override
    def __dir__(self) -> Iterable[str]:
        try:
            return sorted(self._names())
        except RPCError:
            return []

    @override
    def __repr__(self) -> str:
        return f"<module {MODULE!r}: dir({MODULE}) lists the tools>"

    def _find(self, name: str) -> ToolCall | None:
        found = self._known.get(name)
        if found is None:
            wire = self._bridge.request("tools.get", {"name": name})
            if wire is None:
                return None
            is_function = wire_fields(wire, "a tool").get("is_function") is True
            found = member_of(
                self._bridge, Tool.from_wire(wire), name=name, is_function=is_function
            )
            self._known[name] = found
        return found

    def _names(self) -> list[str]:
        return [str(name) for name in wire_items(self._bridge.request("tools.names", {}))]

    def _unknown(self, name: str) -> str:
        import difflib

        names = sorted(self._names())
        near = difflib.get_close_matches(name, names[:_NAMES_COMPARED], _NEAR)
        more = len(names) - _NAMES_SHOWN
        rest = f" (and {more} more)" if more > 0 else ""
        meant = f" Near: {', '.join(near)}." if near else ""
        listed = f"{', '.join(names[:_NAMES_SHOWN]) or 'none'}{rest}"
        return f"module {MODULE!r} has no tool {name!r}.{meant} There are: {listed}"

    def _help_text(self) -> str:
        names = ", ".join(sorted(self._names())) or "none"
        how = f"help({MODULE}.name) explains one."
        return "\n\n".join([MODULE, _DOCUMENTATION, f"There are: {names}", how])


def forget_functions(module: CodexTools) -> None:
    """Ask the page again about every tool, since they changed."""
    module._known.clear()


class CodexToolsFinder:
    """Finds ``codex_tools``, and nothing else."""

    def __init__(self, module: CodexTools) -> None:
        self._module = module

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Say who makes the module."""
        return ModuleSpec(name, cast("Loader", self)) if name == MODULE else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """There is one of a session."""
        return self._module

    def exec_module(self, module: ModuleType) -> None:
        """Begin without what was known before."""
        forget_functions(self._module)


def install_codex_tools(module: CodexTools) -> None:
    """Have ``import codex_tools`` find the session's tools."""
    sys.meta_path.insert(0, cast("Any", CodexToolsFinder(module)))


__all__ = ["CodexTools", "forget_functions", "install_codex_tools"]
