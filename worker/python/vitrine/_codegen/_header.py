"""The names that a generated program finds: where to write, how to report, how to call tools."""

from __future__ import annotations

import asyncio
import builtins
import json
import logging
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar, cast, override

from vitrine._call_site import is_awaited
from vitrine._codegen._progress import Finalized, Progress
from vitrine._codegen._values import plain_json
from vitrine._errors import NamespaceError, RPCError, ToolNotFoundError
from vitrine._operation import Caller, Namespace, Request, Steps, operation
from vitrine._tools import ToolCall, ToolProxy, ToolsNamespace

_CALL = "helpers.call"


class OutputFolder(str):
    """Where the program writes: a text that can also be joined with ``/``, as a path is."""

    __slots__ = ()

    def __truediv__(self, name: str | os.PathLike[str]) -> Path:
        return Path(str(self)) / name


class Header:
    """The names of one run of a program."""

    def __init__(self, bridge: Caller, tools: ToolsNamespace, settings: dict[str, Any]) -> None:
        self._bridge = bridge
        folder = Path(settings["outputDir"])
        folder.mkdir(parents=True, exist_ok=True)
        result_filename = str(settings["resultFilename"])
        contract = cast("dict[str, Any]", settings["contract"])
        self.progress = Progress(self.report, folder / result_filename, contract)
        aliases = cast("dict[str, str]", settings["aliases"])
        agent_io = AgentIo(bridge, tools, self.report)
        self.names: dict[str, Any] = {
            # A tool called `sum` does not take the place of `sum`, nor, beneath what follows, one
            # called `Path` that of a path: `tools.sum` and `tools.Path` are there.
            **{
                alias: ToolAlias(tools, name)
                for alias, name in aliases.items()
                if not hasattr(builtins, alias)
            },
            "true": True,
            "false": False,
            "null": None,
            "Path": Path,
            "os": os,
            "asyncio": asyncio,
            "sys": sys,
            "OUTPUT_DIR": OutputFolder(folder),
            "OUT_DIR": folder,
            "OUT": folder,
            "OUTPUT": folder,
            "logger": _logger(),
            "CONTRACT": contract,
            "RESULT_FILENAME": result_filename,
            "result_filename": result_filename,
            "EXECUTION_ID": str(settings["executionId"]),
            "EXECUTION_MODE": "TOOL",
            "TOOL_ALIAS_MAP": dict(aliases),
            "_PROGRESS": self.progress.state,
            "_FINALIZED": Finalized(self.progress),
            "set_progress": self.progress.set_progress,
            "done": self.progress.done,
            "fail": self.progress.fail,
            "agent_io_tools": agent_io,
            "ctx_tools": ContextTools(bridge),
            "io_tools": IoTools(self.progress, folder, self.report),
        }

    def report(self, kind: str, content: dict[str, Any]) -> object:
        """Tell the page at once; it keeps what it was told."""
        return self._bridge.request(_CALL, {"kind": kind, "content": content})


class ToolAlias:
    """A tool of the session under its own name, looked up with its first use."""

    def __init__(self, tools: ToolsNamespace, name: str) -> None:
        self._tools = tools
        self._name = name

    def __getattr__(self, name: str) -> Any:
        return getattr(self._tools[self._name], name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        proxy = self._tools[self._name]
        if is_awaited(sys._getframe(1)):
            return proxy.call_async(*args, **kwargs)
        return proxy.call_sync(*args, **kwargs)

    @override
    def __repr__(self) -> str:
        return repr(self._tools[self._name])


class AgentIo(Namespace):
    """``agent_io_tools``: calls of tools by what they are called."""

    _label: ClassVar[str] = "agent_io_tools"

    def __init__(
        self,
        bridge: Caller,
        tools: ToolsNamespace,
        report: Callable[[str, dict[str, Any]], object],
    ) -> None:
        super().__init__(bridge)
        self._tools = tools
        self._report = report

    @operation
    def tool_call(
        self,
        fn: object = None,
        params: object = None,
        call_reason: object = None,
        tool_id: str | None = None,
        filename: str | None = None,
        *,
        params_json: object = None,
    ) -> Steps[Any]:
        """Call a tool of the session and return what it returns.

        Args:
            fn: The tool: ``alias.function``. ``None`` where ``tool_id`` names it.
            params: Its arguments: a dict, or JSON of one.
            call_reason: Why, in a few words, for the person who watches.
            tool_id: ``alias.function``, or ``mcp.alias.function``.
            filename: Accepted; the page names its records itself.
            params_json: Another name of ``params``.

        Raises:
            TypeError: The arguments are no dict.
            ValueError: There is neither ``fn`` nor ``tool_id``.
            RPCError: The tool failed, with its own class.
        """
        del filename
        arguments = _arguments_of(params_json if params is None else params)
        tool, name = self._target(fn, tool_id)
        if call_reason:
            self._report("call", {"reason": str(call_reason)})
        request: dict[str, object] = {"tool": tool, "callable": name, "arguments": arguments}
        try:
            return (yield Request("tools.call", request))
        except ToolNotFoundError as error:
            label = tool_id or (tool if name is None else f"{tool}.{name}")
            available = ", ".join(sorted(_names(self._tools)))
            message = f"Could not resolve tool callable for {label}. Available: {available}"
            error.args = (message, *error.args[1:])
            raise

    def _target(self, fn: object, tool_id: str | None) -> tuple[str, str | None]:
        if isinstance(fn, ToolAlias):
            fn = self._tools[fn._name]
        if isinstance(fn, ToolCall):
            return fn._tool.name, fn._callable_name
        if tool_id is None:
            if fn is None:
                raise ValueError("tool_call: tool_id is required when fn is None")
            raise TypeError("tool_call: fn is a tool of the session, such as alias.function")
        return _named(self._tools, tool_id)


class ContextTools(Namespace):
    """``ctx_tools``: what earlier steps have made, and the sources."""

    _label: ClassVar[str] = "ctx_tools"

    @operation
    def fetch_ctx(self, path: object) -> Steps[dict[str, Any]]:
        """Read from the context: ``{"ret": value, "err": None}``, or the reason in ``err``."""
        if not isinstance(path, str):
            return _not_fetched("invalid_path_literal", "the path is a text")
        try:
            return (yield Request(_CALL, {"kind": "fetch_ctx", "content": {"path": path}}))
        except RPCError as error:
            return _not_fetched("tool_failure", str(error))

    @operation
    def merge_sources(self, source_collections: object) -> Steps[list[dict[str, Any]]]:
        """Put lists of sources together: one row for each address, each with its ``sid``."""
        given = source_collections
        if isinstance(given, str):
            given = json.loads(given)
        content = {"lists": plain_json(given, "source_collections")}
        return (yield Request(_CALL, {"kind": "merge_sources", "content": content}))


class IoTools:
    """``io_tools``: a result that the program writes itself."""

    def __init__(
        self, progress: Progress, folder: Path, report: Callable[[str, dict[str, Any]], object]
    ) -> None:
        self._progress = progress
        self._folder = folder
        self._report = report

    def save_ret(
        self, data: object, filename: str = "result.json", artifact_lvl: str = "slot"
    ) -> SavedPath:
        """Write a result to its file. Calls and sources are added by the page."""
        del artifact_lvl
        if isinstance(data, str):
            data = json.loads(data)
        plain = plain_json(data, "data")
        if isinstance(plain, dict):
            plain = self._progress.result(None) | cast("dict[str, Any]", plain)
        target = self._folder / filename
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(json.dumps(plain, ensure_ascii=False), encoding="utf-8", errors="replace")
        return SavedPath(target)


class SavedPath(str):
    """Where something was saved; it can be awaited too."""

    __slots__ = ()

    def __await__(self) -> Any:
        return str(self)
        yield


def _arguments_of(params: object) -> dict[str, Any]:
    if params is None or params == "":
        return {}
    if isinstance(params, str):
        try:
            params = cast("object", json.loads(params))
        except ValueError:
            raise TypeError("tool_call: params is a dict, or JSON of one") from None
    if not isinstance(params, dict):
        raise TypeError(f"tool_call: params is a dict, or JSON of one, not {type(params).__name__}")
    return {str(name): value for name, value in cast("dict[object, Any]", params).items()}


def _named(tools: ToolsNamespace, tool_id: str) -> tuple[str, str | None]:
    """The tool of an id. What there is not is left to the page, which journals the attempt."""
    wanted = tool_id.removeprefix("mcp.")
    try:
        return _resolved(tools[wanted])
    except KeyError:
        pass
    alias, _, function = wanted.partition(".")
    try:
        proxy = tools[alias]
    except KeyError:
        return wanted, None
    if not function or function == alias:
        return _resolved(proxy)
    try:
        return _resolved(proxy[function])
    except KeyError:
        return wanted, None


def _resolved(proxy: ToolProxy | ToolCall) -> tuple[str, str | None]:
    return proxy._tool.name, proxy._callable_name


def _names(tools: ToolsNamespace) -> list[str]:
    try:
        return [str(name) for name in tools._aliases()]
    except NamespaceError:
        return []


def _not_fetched(code: str, message: str) -> dict[str, Any]:
    return {"ret": None, "err": {"code": code, "message": message}}


class _ErrorStream(logging.Handler):
    """Writes to the stderr of the run that goes on."""

    @override
    def emit(self, record: logging.LogRecord) -> None:
        sys.stderr.write(self.format(record) + "\n")


def _logger() -> logging.Logger:
    logger = logging.Logger("program", logging.INFO)
    handler = _ErrorStream()
    handler.setFormatter(logging.Formatter("%(levelname)s %(message)s"))
    logger.addHandler(handler)
    return logger


__all__ = ["Header", "OutputFolder", "ToolAlias"]
