"""What to tell the author of code that met something which a browser does not have."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from types import TracebackType
from typing import cast

from pyodide.ffi import JsException
from vitrine._beginnings import Beginnings
from vitrine._deps import folder_package, import_hint, package_hint
from vitrine._errors import DepsError, ImportNotAllowedError
from vitrine._network import NETWORK, NETWORK_PACKAGES, SOCKETS

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

_LONGEST_REASON = 1000
_MOST_FRAMES = 1000
_INSTALLED = "/site-packages/"
_NAMED = (ModuleNotFoundError, NameError)
# Of `pyodide.http`, which is imported by the code that uses it.
_OF_REQUESTS = ("AbortError", "XHRError", "XHRNetworkError")
# What Chromium, Firefox and WebKit say of a request that was refused.
_REFUSED_REQUEST = ("Failed to fetch", "NetworkError", "Load failed", "Network error for ")
# As Python itself keeps them; a metaclass may answer with anything.
_NAMES_OF = cast("Callable[[type], Mapping[str, object]]", type.__dict__["__dict__"].__get__)
_OF_THE_MACHINE = (RuntimeError, NotImplementedError, OSError)


def hint_for(error: BaseException, lockfile_imports: Mapping[str, str], trust: str) -> str | None:
    """What to write instead; None where there is nothing to add.

    Args:
        error: What ended a run. Its text is not asked of classes of the session's own.
        lockfile_imports: Pyodide's lockfile: file of the package by top-level module.
        trust: The session's trust level.
    """
    # Not by isinstance, which asks the error itself for its class.
    kind = type(error)
    if not NETWORK.is_there and _wants_network(error):
        return NETWORK.advice()
    name: object = getattr(error, "name", None) if kind in _NAMED else None
    if kind is ModuleNotFoundError and type(name) is str:
        root = name.partition(".")[0]
        if root == "_multiprocessing":
            return PROCESSES
        hint = import_hint(name, lockfile_imports, trust)
        return f"{hint} {NETWORK.advice()}" if root in NETWORK_PACKAGES else hint
    if kind is NameError and type(name) is str:
        return _command_hint(name)
    if kind is DepsError and getattr(error, "code", None) == "DEP_UNAVAILABLE":
        spec: object = getattr(error, "spec", None)
        return package_hint(spec, lockfile_imports) if type(spec) is str else None
    return _machine_hint(error) if kind in _OF_THE_MACHINE else None


def wanted_package(error: BaseException, lockfile_imports: Mapping[str, str]) -> str | None:
    """The package that would help, if the session's package folder has it."""
    if type(error) is not ModuleNotFoundError or type(error.name) is not str:
        return None
    if not NETWORK.is_there and error.name.partition(".")[0] in NETWORK_PACKAGES:
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


def _wants_network(error: BaseException) -> bool:
    """Whether something failed for want of a network, without saying so itself."""
    kind = type(error)
    if kind is ModuleNotFoundError or kind is ImportNotAllowedError:
        module: object = getattr(error, "name" if kind is ModuleNotFoundError else "module", None)
        if type(module) is str and module.partition(".")[0] in NETWORK_PACKAGES:
            return True
        # Such a package asks JavaScript for its requests.
        return kind is ImportNotAllowedError and _comes_from(error, NETWORK_PACKAGES)
    if _package_of(kind) in NETWORK_PACKAGES:
        # What a socket refused says it already.
        return SOCKETS not in Beginnings().of_text(error, _LONGEST_REASON)
    if not _is_of_request(kind):
        return False
    text = Beginnings().of_text(error, _LONGEST_REASON)
    return any(words in text for words in _REFUSED_REQUEST)


def _package_of(kind: type) -> str:
    module = _NAMES_OF(kind).get("__module__")
    return module.partition(".")[0] if type(module) is str else ""


def _comes_from(error: BaseException, packages: frozenset[str]) -> bool:
    """Whether an installed package of these was at work when the error was raised."""
    return any(
        filename.partition(_INSTALLED)[2].partition("/")[0] in packages
        for filename in _files_of(error.__traceback__)
    )


def _files_of(traceback: TracebackType | None) -> Iterator[str]:
    for _ in range(_MOST_FRAMES):
        if traceback is None:
            return
        yield traceback.tb_frame.f_code.co_filename
        traceback = traceback.tb_next


def _machine_hint(error: BaseException) -> str | None:
    text = error.args[-1] if error.args else ""
    if type(text) is not str:
        return None
    if text == "can't start new thread":
        return _THREADS
    if "multiprocessing.synchronize" in text or "does not support processes" in text:
        return PROCESSES
    if text == "TLS not supported in this environment":
        return f"{SOCKETS} {NETWORK.advice()}"
    return None


__all__ = ["PROCESSES", "hint_for", "wanted_package"]
