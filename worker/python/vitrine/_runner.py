"""Runs session code and reports what came of it."""

from __future__ import annotations

import ast
import asyncio
import builtins
import inspect
import random
import signal
import sys
import time
import types
from collections.abc import Coroutine
from contextlib import suppress
from json import dumps
from typing import TYPE_CHECKING, Any, NoReturn, cast

from vitrine import _completion
from vitrine._agent import AgentHelpers
from vitrine._auto_install import AutoInstall
from vitrine._beginnings import plain_text
from vitrine._bridge import Bridge, current_call
from vitrine._c_stack import WholeStack, protect_stack
from vitrine._check import Surroundings, check, plain_names
from vitrine._codex_tools import install_codex_tools
from vitrine._display import Display
from vitrine._encoded_result import NOTHING, encode_capped
from vitrine._help import Help
from vitrine._host import Host
from vitrine._import_gate import GATE, builtins_for, rules_for
from vitrine._interrupts import interrupt_handler
from vitrine._ipython_finder import install_finder
from vitrine._json_text import read_json, write_json
from vitrine._machine import describe_the_machine
from vitrine._micropip import install_micropip
from vitrine._namespaces import Namespaces, build_namespaces, new_main
from vitrine._network import NETWORK
from vitrine._output import OutputStream, flush, read_line
from vitrine._replaced import Replaced
from vitrine._run_error import RunError, RunErrors
from vitrine._run_helpers import RunHelpers
from vitrine._run_reply import HelperReport, RunReply
from vitrine._run_request import RunRequest, ServedCall, read_request
from vitrine._skills import inspect_skill
from vitrine._source import is_awaitable, is_coroutine, parts_of
from vitrine._tools import DEFINITIONS
from vitrine._traceback import own_filename, release, remember_source

if TYPE_CHECKING:
    from vitrine._notebook._notebook import Notebook

# The page shows no more of a question.
_LONGEST_PROMPT = 10_000
_MOST_VARIABLES = 1000
_COMPLETION_TIME = 2000.0
_CHECK_TIME = 2000.0
# An answer may be large; what is shown of a memory is not.
_ANSWER_TIME = 10_000.0
_MEMORY_TIME = 2000.0
_MISSING = object()
_set_recursion_limit = sys.setrecursionlimit


class Interpreter:
    """The session's interpreter: one namespace that lives from run to run."""

    def __init__(self, host: Host, *, trust: str, lockfile_imports: dict[str, str]) -> None:
        self._host = host
        self._trust = trust
        self._lockfile_imports = lockfile_imports
        self._stdin = sys.stdin
        self._recursion_limit = sys.getrecursionlimit()
        protect_stack(host)
        self._bridge = Bridge(host)
        self._display = Display(host)
        self._help = Help()
        self._namespaces: Namespaces = build_namespaces(self._bridge)
        NETWORK.connect(trust, lambda: self._bridge.request("tools.forUrl", {}))
        replaced = Replaced(self._namespaces.classes())
        self._run_errors = RunErrors(host, lockfile_imports, trust, replaced)
        self._bridge.on_invoke(self._invoke)
        DEFINITIONS.connect(self._bridge, self._namespaces.tools_changed)
        self._helper_kinds: dict[str, RunHelpers] = {"agent": AgentHelpers(host)}
        self._helpers: RunHelpers | None = None
        self._helper_names: dict[str, object] = {}
        self._tools_version = -1
        self._globals = new_main()
        self._notebook: Notebook | None = None
        self._auto_install = AutoInstall(self._bridge, lockfile_imports)
        self._install_builtins()

    def run(self, code: str, request_text: str) -> Any:
        """Run ``code``; whatever it does, a reply comes back."""
        try:
            return self._host.to_page(self._run(code, read_request(request_text)).wire())
        except BaseException as error:  # noqa: BLE001 - what code did to its own process
            reason = self._host.disarm()
            failure = self._run_errors.of_the_process(error, reason)
            return self._host.to_page(RunReply(error=failure).wire())

    def _run(self, code: str, request: RunRequest) -> RunReply:
        self._prepare(request)
        filename = own_filename(request.filename, code)
        remember_source(filename, code)
        error: BaseException | None = None
        encoded = NOTHING
        self._host.arm(request.timeout)
        try:
            self._display.begin_run()
            if request.tool_call is not None:
                value = self._call_tool(request.tool_call)
            else:
                value = self._execute(code, filename)
                if value is not None:
                    # As in Python's own prompt: a variable of that name goes before it.
                    builtins._ = value  # pyright: ignore[reportAttributeAccessIssue]
                self._display.show_value(value)
                self._display.show_figures()
            encoded = encode_capped(value, request.max_value_size)
        except BaseException as raised:  # noqa: BLE001 - SystemExit and KeyboardInterrupt end a run
            error = raised
            if isinstance(raised, KeyboardInterrupt):
                self._bridge.abandon_tasks()
            else:
                # They may show what went wrong. Drawing them is within the time of the run.
                with suppress(BaseException):
                    self._display.show_figures()
        reason = self._host.disarm()
        # What code set is for its own run, and no limit of what describes it.
        _set_recursion_limit(self._recursion_limit)
        flush(sys.stdout, sys.stderr)
        failure = None
        if error is not None or reason is not None:
            # Code that swallows its interrupt has outlived its deadline all the same.
            failure = self._run_errors.describe(error or KeyboardInterrupt(), reason, request)
        if error is not None:
            release(error)
        del error
        if self._helpers is None:
            return RunReply(encoded, failure)
        report, unwritten = self._report_of(self._helpers, request)
        return RunReply(encoded, failure or unwritten, report)

    def complete(self, code: str) -> str:
        """Complete the name that ``code`` ends with; the reply is JSON."""
        asyncio._set_running_loop(None)  # pyright: ignore
        self._host.arm(_COMPLETION_TIME)
        try:
            return write_json(_completion.complete(self._globals, code))
        except Exception, KeyboardInterrupt:  # noqa: BLE001 - an author's __dir__ may fail or not end
            return write_json({"from": 0, "options": []})
        finally:
            self._host.disarm()

    def check(self, *pieces: str) -> str:
        """Find what is wrong with pieces of code without running them; the reply is JSON.

        Args:
            *pieces: Of each its code, what messages call it, and the options as JSON.
        """
        asyncio._set_running_loop(None)  # pyright: ignore
        threes = list(zip(pieces[::3], pieces[1::3], pieces[2::3], strict=True))
        reports: list[str] = []
        while len(reports) < len(threes):
            left = threes[len(reports) :]
            # One deadline for all of them: the page is sent a message for each. After it, those
            # that are left have another.
            self._host.arm(_CHECK_TIME * len(left))
            try:
                for three in left:
                    reports.append(self._check(*three))
            except BaseException:  # noqa: BLE001 - what session code did to the parts that this uses
                reports.append(write_json({"findings": [], "uses": [], "names": []}))
            finally:
                self._host.disarm()
        return f"[{','.join(reports)}]"

    def _check(self, code: str, filename: str, options_text: str) -> str:
        options = read_json(options_text)
        names = self._made_names()
        helpers = self._helper_kinds.get(options["helpers"])
        surroundings = Surroundings(
            names=names,
            helpers=frozenset() if helpers is None else frozenset(helpers.names | helpers.offered),
            rules=rules_for(self._trust, options.get("imports")),
            trust=self._trust,
            lockfile_imports=self._lockfile_imports,
            skills=dict(options["skills"]),
        )
        is_module = options.get("isModule") is True
        report = check(code, filename, surroundings, is_module=is_module)
        return write_json(report | {"names": plain_names(names)})

    def _made_names(self) -> dict[str, Any]:
        # Helpers of the last run are no variables, and others may be there in the next.
        return {
            name: value
            for name, value in self._globals.items()
            # Other keys are asked nothing, not even for their hash.
            if type(name) is str and value is not self._helper_names.get(name, _MISSING)
        }

    def inspect_skill(self, name: str, source: str) -> str:
        """Describe a skill without running it; the reply is JSON."""
        try:
            return dumps({"ok": inspect_skill(name, source)}, default=repr)
        except Exception as error:  # noqa: BLE001 - crosses to the page as data
            return write_json(
                {
                    "error": {
                        "name": type(error).__name__,
                        "message": str(error),
                        "line": getattr(error, "lineno", None),
                    }
                }
            )

    def _prepare(self, request: RunRequest) -> None:
        # Pyodide marks a loop as running on every entry; session code begins outside of any.
        asyncio._set_running_loop(None)  # pyright: ignore
        # Put back before every run, so that `tools = 5` costs one run and not the session.
        _set_recursion_limit(self._recursion_limit)
        self._namespaces.install(self._globals)
        if request.tools_version != self._tools_version:
            self._tools_version = request.tools_version
            self._namespaces.tools_changed()
        self._bridge.begin_run(request.max_open_calls)
        rules = rules_for(self._trust, request.imports)
        GATE.use(rules)
        self._auto_install.begin(rules, is_on=request.auto_install)
        self._install_helpers(request.helpers)
        sys.stdin = self._stdin
        sys.stdout = OutputStream(self._host, "stdout", 1)
        sys.stderr = OutputStream(self._host, "stderr", 2)
        builtins.display = self._display.show  # pyright: ignore[reportAttributeAccessIssue]
        builtins.input = self._input
        builtins.help = self._help
        builtins.get_ipython = self._get_notebook  # pyright: ignore[reportAttributeAccessIssue]
        self._globals["__builtins__"] = builtins_for(rules)

    def _install_helpers(self, options: dict[str, Any]) -> None:
        for name, value in self._helper_names.items():
            if self._globals.get(name) is value:
                del self._globals[name]
        self._helpers = self._helpers_of(options["kind"])
        self._helper_names = {}
        if self._helpers is None:
            return
        self._helpers.begin(options)
        self._helper_names = self._helpers.names
        self._globals.update(self._helper_names)
        for name, value in self._helpers.offered.items():
            if name not in self._globals:
                self._globals[name] = self._helper_names[name] = value

    def _helpers_of(self, kind: str) -> RunHelpers | None:
        if kind == "codegen" and kind not in self._helper_kinds:
            # Most interpreters never run a generated program, and start without this.
            from vitrine._codegen import CodegenHelpers

            self._helper_kinds[kind] = CodegenHelpers(self._bridge, self._namespaces.tools)
        return self._helper_kinds.get(kind)

    def _execute(self, code: str, filename: str) -> object:
        with WholeStack():
            first, second = parts_of(code, filename, self._prepared)
        self._auto_install.provide()
        if second is None:
            self._evaluate(first)
            return None
        if is_coroutine(first) or is_coroutine(second):
            return self._bridge.run_coroutine(self._evaluate_async(first, second))
        self._evaluate(first)
        value = self._evaluate(second)
        if is_awaitable(value):
            return self._bridge.run_coroutine(_awaited(value))
        return value

    def _get_notebook(self) -> Notebook:
        """Carries out what notebooks write beside Python; most sessions never do."""
        if self._notebook is None:
            from vitrine._notebook._notebook import Notebook

            self._notebook = Notebook(self._namespaces, self._globals, self._execute, self._help)
        return self._notebook

    def _prepared(self, tree: ast.Module, filename: str) -> ast.Module:
        GATE.check_tree(tree, filename)
        self._auto_install.look_at(tree)
        return tree if self._helpers is None else self._helpers.prepare(tree)

    async def _evaluate_async(self, first: types.CodeType, second: types.CodeType) -> object:
        await self._evaluate_here(first)
        value = await self._evaluate_here(second)
        return await value if is_awaitable(value) else value

    async def _evaluate_here(self, code: types.CodeType) -> object:
        value = eval(code, self._globals)
        return await value if is_coroutine(code) else value

    def _evaluate(self, code: types.CodeType) -> object:
        value = eval(code, self._globals)
        if is_coroutine(code):
            return self._bridge.run_coroutine(cast("Coroutine[Any, Any, object]", value))
        return value

    def _report_of(
        self, helpers: RunHelpers, request: RunRequest
    ) -> tuple[HelperReport, RunError | None]:
        """Write down what the run answered, or say why that failed: the value is the code's."""
        self._host.arm(_ANSWER_TIME)
        value, shown, failure = None, None, None
        try:
            answer = helpers.answer()
            if answer is not None:
                value = encode_capped(answer.value, request.max_value_size).wire
                shown = {"text": answer.text, "verifiedBy": answer.verified_by}
        except BaseException as raised:  # noqa: BLE001 - whatever its text, or its fields, raise
            reason = self._host.disarm()
            failure = self._run_errors.of_the_answer(raised, reason, request)
            value, shown = None, None
        return HelperReport(value, shown, self._memory_of(helpers)), failure

    def _memory_of(self, helpers: RunHelpers) -> dict[str, Any] | None:
        # In place of the answer's deadline, which may have been used up.
        self._host.arm(_MEMORY_TIME)
        try:
            memory = helpers.memory()
            if memory is not None:
                memory["variables"] = plain_names(self._made_names())[:_MOST_VARIABLES]
            return memory
        except BaseException:  # noqa: BLE001 - what code did to it costs neither value nor answer
            return None
        finally:
            self._host.disarm()

    def _call_tool(self, call: ServedCall) -> object:
        """Call a tool that session code defined, for somebody outside of any run of code."""
        token = current_call.set(call.call_id)
        try:
            arguments = self._bridge.request("tools.begin", {"callId": call.call_id})
            value = DEFINITIONS.apply(call.name, arguments)
            return self._bridge.run_coroutine(value) if inspect.iscoroutine(value) else value
        finally:
            current_call.reset(token)

    def _invoke(self, invocation: dict[str, Any]) -> object:
        arguments = invocation["arguments"]
        match invocation["function"]:
            case "run_tool":
                return DEFINITIONS.apply(arguments["name"], arguments["arguments"])
            case "run_skill":
                skills = self._namespaces.skills
                return skills.invoke.call_sync(arguments["name"], **arguments["arguments"])
            case "inspect_skill":
                return self.inspect_skill(arguments["name"], arguments["source"])
            case "collect_files":
                return self._host.collect_files()
            case "apply_files":
                return self._host.apply_files(arguments["files"])
            case unknown:
                raise ValueError(f"The page asked for {unknown!r}, which is unknown here.")

    def _input(self, prompt: object = "", /) -> str:
        """Ask the person at the page, if somebody is there; else EOFError.

        Where code has put something in the place of ``sys.stdin``, that is read.
        """
        if sys.stdin is not self._stdin:
            return read_line(prompt)
        shown = plain_text(prompt, _LONGEST_PROMPT)
        return cast(str, self._bridge.request("input", {"prompt": shown}))

    def _install_builtins(self) -> None:
        # A handler of our own keeps asyncio.run from installing one that only cancels its task.
        signal.signal(signal.SIGINT, interrupt_handler(self._host.postpone_interrupt))
        time.sleep = self._bridge.sleep
        random.seed()
        for name in ("exit", "quit"):
            if not hasattr(builtins, name):
                setattr(builtins, name, _exit)
        sys.dont_write_bytecode = True
        install_finder()
        install_micropip(self._namespaces.deps)
        install_codex_tools(self._namespaces.codex_tools)
        describe_the_machine()


async def _awaited(value: Any) -> object:
    return await value


def _exit(code: object = None) -> NoReturn:
    raise SystemExit(code)
