"""Tracebacks that show the author's lines and none of ours."""

from __future__ import annotations

import linecache
import os
import traceback
from collections.abc import Iterable
from typing import cast

_PACKAGE = os.path.dirname(__file__) + "/"
# What drives a coroutine to its end: our loop stands on it.
_DRIVERS = ("/asyncio/base_events.py", "/asyncio/runners.py")
_REMEMBERED_SOURCES = 500
_remembered: list[str] = []


def remember_source(filename: str, source: str) -> None:
    """Keep the lines of code that lies in no file, so that tracebacks can quote them."""
    if filename in linecache.cache:
        _remembered.remove(filename)
    elif len(_remembered) >= _REMEMBERED_SOURCES:
        linecache.cache.pop(_remembered.pop(0), None)
    _remembered.append(filename)
    lines = [line + "\n" for line in source.split("\n")]
    linecache.cache[filename] = (len(source), None, lines, filename)


def format_exception(error: BaseException, *, last_line: str | None = None) -> str:
    """Format ``error`` with line numbers and carets, without the frames of the plumbing.

    Args:
        error: The exception, with its traceback.
        last_line: Takes the place of the final ``Type: message`` line.
    """
    try:
        report = traceback.TracebackException.from_exception(error, compact=True)
        _strip(report, set())
        text = "".join(cast("Iterable[str]", report.format()))
    except RecursionError:
        text = f"{type(error).__name__}: {error}\n"
    if last_line is None:
        return text
    ending = "".join(traceback.format_exception_only(error))
    return text.removesuffix(ending) + last_line + "\n"


def _strip(report: traceback.TracebackException, seen: set[int]) -> None:
    if id(report) in seen:
        return
    seen.add(id(report))
    stack = report.stack
    authored = [index for index, frame in enumerate(stack) if not _is_plumbing(frame.filename)]
    # Before the author's first line there is only what led to it: the runner and its loop.
    first = next((index for index in authored if not _is_library(stack[index].filename)), None)
    keep = [] if first is None else [index for index in authored if index >= first]
    report.stack = traceback.StackSummary.from_list([stack[index] for index in keep])
    for linked in (report.__cause__, report.__context__, *(report.exceptions or ())):
        if linked is not None:
            _strip(linked, seen)


def _is_plumbing(filename: str) -> bool:
    # Pyodide adds the JavaScript frames of a JsException; its own scripts come from blobs.
    own = filename.startswith((_PACKAGE, "blob:"))
    return own or filename.endswith(_DRIVERS) or "/pyodide/" in filename or "/_pyodide/" in filename


def _is_library(filename: str) -> bool:
    return filename.startswith(("/lib/", "<frozen "))
