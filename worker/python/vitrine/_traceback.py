"""Tracebacks that show the author's lines and none of ours."""

from __future__ import annotations

import itertools
import linecache
import os
import traceback
from collections.abc import Iterable
from typing import cast

_PACKAGE = os.path.dirname(__file__) + "/"
# What drives a coroutine to its end: our loop stands on it.
_DRIVERS = ("/asyncio/base_events.py", "/asyncio/runners.py")
_REMEMBERED_SOURCES = 500
# Of all of them together; the newest is kept however long it is.
_REMEMBERED_CHARACTERS = 4_000_000
_remembered: dict[str, str] = {}
_characters = 0
_numbers = itertools.count(2)
# What the names of `own_filename` were made for.
_shown: dict[str, str] = {}


def own_filename(filename: str, source: str) -> str:
    """A name for ``source`` that no other source has, of which functions may still be called.

    Tracebacks show it as ``filename``.
    """
    if _remembered.get(filename, source) == source:
        return filename
    own = f"{filename[:-1]} #{next(_numbers)}>"
    _shown[own] = filename
    return own


def shown_filename(filename: str) -> str:
    """The name that a filename of ``own_filename`` was made for; any other as it is."""
    return _shown.get(filename, filename)


def remember_source(filename: str, source: str) -> None:
    """Keep the lines of code that lies in no file, so that tracebacks can quote them."""
    global _characters
    _characters += len(source) - len(_remembered.pop(filename, ""))
    _remembered[filename] = source
    while len(_remembered) > _REMEMBERED_SOURCES or (
        _characters > _REMEMBERED_CHARACTERS and len(_remembered) > 1
    ):
        oldest = next(iter(_remembered))
        _characters -= len(_remembered.pop(oldest))
        _shown.pop(oldest, None)
        linecache.cache.pop(oldest, None)
    lines = [line + "\n" for line in source.split("\n")]
    linecache.cache[filename] = (len(source), None, lines, filename)


def format_exception(error: BaseException, summary: str, *, ends_with_it: bool = False) -> str:
    """Format ``error`` with line numbers and carets, without the frames of the plumbing.

    Args:
        error: The exception, with its traceback.
        summary: ``Type: message``, for an error that cannot be asked for them.
        ends_with_it: It takes the place of that line of the error's own.
    """
    try:
        report = traceback.TracebackException.from_exception(error, compact=True)
        _strip(report, set())
        text = "".join(cast("Iterable[str]", report.format()))
        if not ends_with_it:
            return text
        ending = "".join(traceback.format_exception_only(error))
        return text.removesuffix(ending) + summary + "\n"
    except Exception, KeyboardInterrupt:  # noqa: BLE001 - whatever its class, its text or its causes do
        return format_stack(error, summary)


def format_stack(error: BaseException, summary: str) -> str:
    """Format where ``error`` was raised, without asking it for anything."""
    try:
        stack = traceback.StackSummary.extract(traceback.walk_tb(error.__traceback__))
        lines = traceback.StackSummary.from_list(_authored(stack)).format()
    except Exception:  # noqa: BLE001 - code has replaced what the standard library is made of
        return f"{summary}\n"
    return "".join(["Traceback (most recent call last):\n", *lines, summary, "\n"])


def _strip(report: traceback.TracebackException, seen: set[int]) -> None:
    if id(report) in seen:
        return
    seen.add(id(report))
    report.stack = traceback.StackSummary.from_list(_authored(report.stack))
    filename = getattr(report, "filename", None)
    if type(filename) is str:
        # Only a SyntaxError has one.
        report.filename = shown_filename(filename)
    for linked in (report.__cause__, report.__context__, *(report.exceptions or ())):
        if linked is not None:
            _strip(linked, seen)


def _authored(stack: traceback.StackSummary) -> list[traceback.FrameSummary]:
    authored = [frame for frame in stack if not _is_plumbing(frame.filename)]
    # Before the author's first line there is only what led to it: the runner and its loop.
    leading = itertools.takewhile(lambda frame: _is_library(frame.filename), authored)
    kept = authored[sum(1 for _ in leading) :]
    for frame in kept:
        # The lines are known by now: they were looked up by the other name.
        frame.filename = shown_filename(frame.filename)
    return kept


def _is_plumbing(filename: str) -> bool:
    # Pyodide adds the JavaScript frames of a JsException; its own scripts come from blobs.
    # Python leaves out the importer's frames, and does not where ours stand between them.
    own = filename.startswith((_PACKAGE, "blob:", "<frozen importlib"))
    return own or filename.endswith(_DRIVERS) or "/pyodide/" in filename or "/_pyodide/" in filename


def _is_library(filename: str) -> bool:
    return filename.startswith(("/lib/", "<frozen "))
