"""What to tell the author of code that met something which a browser does not have."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from pyodide.ffi import JsException
from vitrine._beginnings import Beginnings
from vitrine._deps import folder_package, import_hint, package_hint
from vitrine._errors import DepsError

_COMMANDS = frozenset(
    {
        "cat",
        "clear",
        "cp",
        "curl",
        "echo",
        "find",
        "git",
        "grep",
        "head",
        "jq",
        "ls",
        "mkdir",
        "mv",
        "pwd",
        "rg",
        "rm",
        "sed",
        "sort",
        "tail",
        "touch",
        "wc",
        "wget",
        "whoami",
    }
)
_PACKAGES = "`%pip install NAME` adds a package."
_NOT_HERE = "Code with a list of imports does without `!`, `%` and `?`: it has tools for that."
_FOLDER = "`%cd FOLDER` changes the folder."
_THREADS = (
    "A browser's Python has one thread. Calls of tools overlap with `asyncio.gather(…)`; "
    "other work goes one after the other."
)
PROCESSES = (
    "A browser runs no processes. Python is here already; commands go through the shell: "
    "`!ls`, or a command tool."
)
SOCKETS = "A browser gives Python no sockets."

_LONGEST_REASON = 1000
_NAMED = (ModuleNotFoundError, NameError)
# Of `pyodide.http`, which is imported by the code that uses it.
_OF_REQUESTS = ("AbortError", "XHRError", "XHRNetworkError")
# What Chromium, Firefox and WebKit say of a request that was refused.
_REFUSED_REQUEST = ("Failed to fetch", "NetworkError", "Load failed", "Network error for ")
_OF_THE_MACHINE = (RuntimeError, NotImplementedError, OSError)


def no_network(trust: str) -> str:
    """How code gets at the network here."""
    if trust == "local":
        return "Use `await pyodide.http.pyfetch(url)`, or a tool."
    return (
        f"At trust level {trust!r} code has no network: call a tool, "
        '`tools.search("words")` finds one.'
    )


def hint_for(error: BaseException, lockfile_imports: Mapping[str, str], trust: str) -> str | None:
    """What to write instead; None where there is nothing to add.

    Args:
        error: What ended a run. Its text is not asked of classes of the session's own.
        lockfile_imports: Pyodide's lockfile: file of the package by top-level module.
        trust: The session's trust level.
    """
    # Not by isinstance, which asks the error itself for its class.
    kind = type(error)
    name: object = getattr(error, "name", None) if kind in _NAMED else None
    if kind is ModuleNotFoundError and type(name) is str:
        if name.partition(".")[0] == "_multiprocessing":
            return PROCESSES
        return import_hint(name, lockfile_imports, trust)
    if kind is NameError and type(name) is str:
        return _command_hint(name)
    if kind is DepsError and getattr(error, "code", None) == "DEP_UNAVAILABLE":
        spec: object = getattr(error, "spec", None)
        return package_hint(spec, lockfile_imports) if type(spec) is str else None
    if _is_of_request(kind):
        return _request_hint(error, trust)
    if kind in _OF_THE_MACHINE:
        return _machine_hint(error, trust)
    return None


def wanted_package(error: BaseException, lockfile_imports: Mapping[str, str]) -> str | None:
    """The package that would help, if the session's package folder has it."""
    if type(error) is not ModuleNotFoundError or type(error.name) is not str:
        return None
    return folder_package(error.name, lockfile_imports)


def _command_hint(name: str) -> str | None:
    if name in {"pip", "conda"}:
        return _PACKAGES
    if name == "cd":
        return _FOLDER
    if name == "get_ipython":
        return _NOT_HERE
    return f"`!{name}` runs it in the shell." if name in _COMMANDS else None


def _is_of_request(kind: type) -> bool:
    requests = sys.modules.get("pyodide.http._exceptions")
    return kind is JsException or any(
        kind is getattr(requests, name, None) for name in _OF_REQUESTS
    )


def _request_hint(error: BaseException, trust: str) -> str | None:
    if trust == "local":
        # There it may be the server, or its policy.
        return None
    text = Beginnings().of_text(error, _LONGEST_REASON)
    return no_network(trust) if any(words in text for words in _REFUSED_REQUEST) else None


def _machine_hint(error: BaseException, trust: str) -> str | None:
    text = error.args[-1] if error.args else ""
    if type(text) is not str:
        return None
    if text == "can't start new thread":
        return _THREADS
    if "multiprocessing.synchronize" in text or "does not support processes" in text:
        return PROCESSES
    if text == "TLS not supported in this environment":
        return f"{SOCKETS} {no_network(trust)}"
    return None


__all__ = ["PROCESSES", "SOCKETS", "hint_for", "no_network", "wanted_package"]
