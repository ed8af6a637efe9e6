"""Tracebacks that show the author's lines and none of ours."""

from __future__ import annotations

import itertools
import linecache
import os
import traceback
from collections import deque
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Any, cast

_PACKAGE = os.path.dirname(__file__) + "/"
# What drives a coroutine to its end: our loop stands on it.
_DRIVERS = ("/asyncio/base_events.py", "/asyncio/runners.py")
# Of the frames of one traceback so many are shown from its beginning, and from its end.
_SHOWN_FRAMES = 1000
_REMEMBERED_SOURCES = 500
# Of all of them together; the newest is kept however long it is.
_REMEMBERED_CHARACTERS = 4_000_000
_remembered: dict[str, str] = {}
_characters = 0
# What lies in the place of frames that are left out.
_GAP = "<left out>"
_CAUSE, _CONTEXT, _TRACEBACK = (
    cast("Any", BaseException).__dict__[name]
    for name in ("__cause__", "__context__", "__traceback__")
)
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
        frames, left_out = _shorten(error.__traceback__)
        limit = -2 * _SHOWN_FRAMES  # for the errors that led to this one
        report = traceback.TracebackException(type(error), error, frames, limit=limit, compact=True)
        if left_out:
            report.stack.insert(_SHOWN_FRAMES, _gap(left_out))
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
        frames, left_out = _shorten(error.__traceback__)
        stack = traceback.StackSummary.extract(traceback.walk_tb(frames))
        if left_out:
            stack.insert(_SHOWN_FRAMES, _gap(left_out))
        lines = _Stack.from_list(_authored(stack)).format()
    except Exception:  # noqa: BLE001 - code has replaced what the standard library is made of
        return f"{summary}\n"
    return "".join(["Traceback (most recent call last):\n", *lines, summary, "\n"])


def release(error: BaseException) -> None:
    """Take a long traceback apart from its end, with those of the errors that led to ``error``.

    Freed from its beginning, each frame would free the next one from within, deeper than the
    browser's stack.
    """
    seen: set[int] = set()
    waiting: list[BaseException | None] = [error]
    while waiting:
        next_error = waiting.pop()
        if next_error is None or id(next_error) in seen:
            continue
        seen.add(id(next_error))
        # Past what a class of the code makes of these names.
        waiting += [_CAUSE.__get__(next_error), _CONTEXT.__get__(next_error)]
        frames = list(_walk(_TRACEBACK.__get__(next_error)))
        if len(frames) > 2 * _SHOWN_FRAMES:
            _TRACEBACK.__set__(next_error, None)
            for index in range(len(frames)):
                frames[index].tb_next = None
            while frames:
                frames.pop()


class _Stack(traceback.StackSummary):
    """Frames of which some may be left out."""

    def format_frame_summary(self, frame_summary: traceback.FrameSummary, **options: Any) -> str:
        if frame_summary.filename == _GAP:
            return frame_summary.name
        return super().format_frame_summary(frame_summary, **options)


def _gap(count: int) -> traceback.FrameSummary:
    return traceback.FrameSummary(_GAP, 0, f"  [{count} calls left out]\n", lookup_line=False)


def _shorten(frames: TracebackType | None) -> tuple[TracebackType | None, int]:
    """The beginning and the end of a long traceback, and how many frames lie between them.

    Looking into a million frames, as code that raises the limit of recursion has, takes minutes.
    """
    beginning = list(itertools.islice(_walk(frames), _SHOWN_FRAMES))
    end = deque[TracebackType](maxlen=_SHOWN_FRAMES)
    count = 0
    for frame in itertools.islice(_walk(frames), _SHOWN_FRAMES, None):
        end.append(frame)
        count += 1
    if count <= _SHOWN_FRAMES:
        return frames, 0
    shortened: TracebackType | None = end[0]
    for frame in reversed(beginning):
        shortened = TracebackType(shortened, frame.tb_frame, frame.tb_lasti, frame.tb_lineno)
    return shortened, count - _SHOWN_FRAMES


def _walk(frames: TracebackType | None) -> Iterator[TracebackType]:
    while frames is not None:
        yield frames
        frames = frames.tb_next


def _strip(report: traceback.TracebackException, seen: set[int]) -> None:
    if id(report) in seen:
        return
    seen.add(id(report))
    report.stack = _Stack.from_list(_authored(report.stack))
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
