"""Runs session code and reports what came of it."""

from __future__ import annotations

import ast
import asyncio
import builtins
import gc
import inspect
import json
import random
import signal
import sys
import time
import types
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, NoReturn, cast

from vitrine import _codec, _completion
from vitrine._bridge import Bridge
from vitrine._deps import import_hint
from vitrine._display import Display
from vitrine._host import Host, to_page
from vitrine._namespaces import Namespaces, build_namespaces
from vitrine._output import OutputStream
from vitrine._skills import inspect_skill
from vitrine._traceback import format_exception, remember_source

_SHOWN_OF_A_CUT_VALUE = 1000
_FLAGS = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT


@dataclass(frozen=True)
class FinalAnswer:
    """What an agent's code handed to ``final_answer``."""

    value: object
    text: str


@dataclass(frozen=True)
class RunError:
    """How a run ended badly; the page's ``RunErrorData``."""

    code: str
    python_type: str
    message: str
    traceback: str


class Interpreter:
    """The session's interpreter: one namespace that lives from run to run."""

    def __init__(self, host: Host, *, trust: str, lockfile_imports: dict[str, str]) -> None:
        self._host = host
        self._trust = trust
        self._lockfile_imports = lockfile_imports
        self._bridge = Bridge(host)
        self._display = Display(host)
        self._namespaces: Namespaces = build_namespaces(self._bridge)
        self._bridge.on_invoke(self._invoke)
        self._final_answer: FinalAnswer | None = None
        self._tools_version = -1
        self._globals = _new_main()
        self._install_builtins()

    def run(self, code: str, filename: str, options_text: str) -> Any:
        """Run ``code``; whatever it does, a reply comes back."""
        options = json.loads(options_text)
        self._prepare(options)
        remember_source(filename, code)
        value: object = None
        error: BaseException | None = None
        self._host.arm(options["timeout"])
        try:
            value = self._execute(code, filename)
            shown = None if value is None else _codec.safe_repr(value)
            self._display.show_value(value)
            self._display.show_figures()
            encoded = _codec.encode(value)
        except BaseException as raised:  # noqa: BLE001 - SystemExit and KeyboardInterrupt end a run
            error = raised
            encoded = shown = None
        reason = self._host.disarm()
        _flush(sys.stdout, sys.stderr)
        failure = None if error is None else self._describe(error, reason, options["timeout"])
        del error
        return to_page(self._reply(encoded, failure, options, shown))

    def complete(self, code: str) -> str:
        """Complete the name that ``code`` ends with; the reply is JSON."""
        asyncio._set_running_loop(None)  # pyright: ignore
        return json.dumps(_completion.complete(self._globals, code))

    def inspect_skill(self, name: str, source: str) -> str:
        """Describe a skill without running it; the reply is JSON."""
        try:
            return json.dumps({"ok": inspect_skill(name, source)}, default=repr)
        except Exception as error:  # noqa: BLE001 - crosses to the page as data
            return json.dumps(
                {
                    "error": {
                        "name": type(error).__name__,
                        "message": str(error),
                        "line": getattr(error, "lineno", None),
                    }
                }
            )

    def _prepare(self, options: dict[str, Any]) -> None:
        # Pyodide marks a loop as running on every entry; session code begins outside of any.
        asyncio._set_running_loop(None)  # pyright: ignore
        # Put back before every run, so that `tools = 5` costs one run and not the session.
        self._namespaces.install(self._globals)
        if options["toolsVersion"] != self._tools_version:
            self._tools_version = options["toolsVersion"]
            self._namespaces.tools_changed()
        self._final_answer = None
        if options["helpers"] == "agent":
            self._globals["final_answer"] = self._take_final_answer
        elif self._globals.get("final_answer") == self._take_final_answer:
            del self._globals["final_answer"]
        sys.stdout = OutputStream(self._host, "stdout")
        sys.stderr = OutputStream(self._host, "stderr")
        builtins.display = self._display.show  # pyright: ignore[reportAttributeAccessIssue]
        builtins.input = self._input

    def _execute(self, code: str, filename: str) -> object:
        tree = compile(code, filename, "exec", ast.PyCF_ONLY_AST | _FLAGS)
        last = tree.body[-1] if tree.body else None
        if not isinstance(last, ast.Expr):
            self._evaluate(compile(tree, filename, "exec", _FLAGS))
            return None
        tree.body.pop()
        # Both before either runs: an error in the last line stops the run before it began.
        first = compile(tree, filename, "exec", _FLAGS)
        second = compile(ast.Expression(last.value), filename, "eval", _FLAGS)
        if _is_coroutine(first) or _is_coroutine(second):
            return self._bridge.run_coroutine(self._evaluate_async(first, second))
        self._evaluate(first)
        value = self._evaluate(second)
        if inspect.iscoroutine(value) or asyncio.isfuture(value):
            return self._bridge.run_coroutine(_awaited(value))
        return value

    async def _evaluate_async(self, first: types.CodeType, second: types.CodeType) -> object:
        await self._evaluate_here(first)
        value = await self._evaluate_here(second)
        return await value if inspect.iscoroutine(value) or asyncio.isfuture(value) else value

    async def _evaluate_here(self, code: types.CodeType) -> object:
        value = eval(code, self._globals)
        return await value if _is_coroutine(code) else value

    def _evaluate(self, code: types.CodeType) -> object:
        value = eval(code, self._globals)
        if _is_coroutine(code):
            return self._bridge.run_coroutine(cast("Coroutine[Any, Any, object]", value))
        return value

    def _describe(self, error: BaseException, reason: str | None, timeout: float) -> RunError:
        if isinstance(error, KeyboardInterrupt) and reason == "timeout":
            message = f"Execution timeout after {timeout / 1000:g} seconds"
            text = format_exception(error, last_line=f"RunTimeoutError: {message}")
            return RunError("RUN_TIMEOUT", "RunTimeoutError", message, text)
        if isinstance(error, KeyboardInterrupt) and reason == "stop":
            message = "The run was stopped; what it did until then stays."
            text = format_exception(error, last_line=f"RunInterruptedError: {message}")
            return RunError("RUN_INTERRUPTED", "RunInterruptedError", message, text)
        message = _message_of(error)
        if isinstance(error, ModuleNotFoundError) and error.name:
            hint = import_hint(error.name, self._lockfile_imports, self._trust)
            if hint:
                error.add_note(hint)
                message = f"{message}\n{hint}"
        code = getattr(error, "code", None)
        return RunError(
            code if isinstance(code, str) and code.isupper() else "PYTHON_ERROR",
            type(error).__name__,
            message,
            format_exception(error),
        )

    def _reply(
        self,
        encoded: tuple[str, list[_codec.Buffer]] | None,
        error: RunError | None,
        options: dict[str, Any],
        shown: str | None,
    ) -> list[Any]:
        full = None
        if encoded is not None:
            size = len(encoded[0]) + sum(memoryview(part).nbytes for part in encoded[1])
            if size > options["maxValueSize"]:
                full = encoded
                encoded = (_cut(encoded[0], size), [])
        answer = self._final_answer
        return [
            _wire(encoded),
            _wire(full),
            shown,
            None if error is None else json.dumps(error.__dict__),
            None if answer is None else _wire(_codec.encode(answer.value)),
            None if answer is None else answer.text,
        ]

    def _take_final_answer(self, value: object = None) -> object:
        """Hand in the answer of the task; the last one given counts."""
        self._final_answer = FinalAnswer(value, str(value))
        return value

    def _invoke(self, invocation: dict[str, Any]) -> object:
        arguments = invocation["arguments"]
        match invocation["function"]:
            case "run_skill":
                skills = self._namespaces.skills
                return skills.invoke.call_sync(arguments["name"], **arguments["arguments"])
            case "inspect_skill":
                return self.inspect_skill(arguments["name"], arguments["source"])
            case unknown:
                raise ValueError(f"The page asked for {unknown!r}, which is unknown here.")

    def _input(self, prompt: object = "", /) -> str:
        """Ask the person at the page, if somebody is there; else EOFError."""
        return cast(str, self._bridge.request("input", {"prompt": str(prompt)}))

    def _install_builtins(self) -> None:
        # A handler of our own keeps asyncio.run from installing one that only cancels its task.
        signal.signal(signal.SIGINT, _interrupt)
        time.sleep = self._bridge.sleep
        random.seed()
        for name in ("exit", "quit"):
            if not hasattr(builtins, name):
                setattr(builtins, name, _exit)
        sys.dont_write_bytecode = True


def _new_main() -> dict[str, Any]:
    """A fresh ``__main__``: pickling and ``dataclasses`` look it up in ``sys.modules``."""
    module = types.ModuleType("__main__")
    sys.modules["__main__"] = module
    module.__dict__["__builtins__"] = builtins
    gc.collect()
    return module.__dict__


def _is_coroutine(code: types.CodeType) -> bool:
    return bool(code.co_flags & inspect.CO_COROUTINE)


async def _awaited(value: Any) -> object:
    return await value


def _interrupt(_signal: int, _frame: object) -> NoReturn:
    raise KeyboardInterrupt


def _exit(code: object = None) -> NoReturn:
    raise SystemExit(code)


def _flush(*streams: Any) -> None:
    for stream in streams:
        flush = cast("Callable[[], None] | None", getattr(stream, "flush", None))
        if flush is not None:
            flush()


def _message_of(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # noqa: BLE001 - a broken __str__ must not hide the error
        return f"<{type(error).__name__} whose str() failed>"


def _cut(text: str, size: int) -> str:
    head = text[:_SHOWN_OF_A_CUT_VALUE]
    note = f"{head}… [VALUE TRUNCATED: {size} bytes, the first {len(head)} shown]"
    return json.dumps({"$opaque": [note, "truncated"]})


def _wire(encoded: tuple[str, list[_codec.Buffer]] | None) -> list[Any] | None:
    return None if encoded is None else [encoded[0], encoded[1]]
