"""What is said of a run that ended badly."""

from __future__ import annotations

import re
from dataclasses import dataclass

from vitrine._beginnings import Beginnings, type_name
from vitrine._errors import PUBLIC_ERRORS
from vitrine._hints import hint_for, wanted_package
from vitrine._host import Host
from vitrine._replaced import Replaced
from vitrine._run_request import RunRequest
from vitrine._traceback import format_exception, format_stack

# The page takes 200 units of UTF-16, of which a character may have two.
_LONGEST_NAME = 100
_LONGEST_MESSAGE = 100_000
# An exception is asked for its text, and may take its time.
_DESCRIBING_TIME = 2000.0
_CODES = {"timeout": "RUN_TIMEOUT", "stop": "RUN_INTERRUPTED", "output": "OUTPUT_LIMIT"}
_HEAP_LIMIT = "HEAP_LIMIT"
_OF_PYTHON = "PYTHON_ERROR"
_CODE = re.compile(r"[A-Z][A-Z0-9_]{0,63}")
_OWN_CLASSES = tuple(PUBLIC_ERRORS.values())


@dataclass(frozen=True)
class RunError:
    """How a run ended badly; the page's ``RunErrorData``."""

    code: str
    python_type: str
    message: str
    traceback: str
    # Of the page's package folder: whether it is there, only the page knows.
    wanted_package: str | None = None


class _InTime:
    """Bounds how long foreign code takes to say what it is."""

    def __init__(self, host: Host) -> None:
        self._host = host

    def __enter__(self) -> None:
        self._host.arm(_DESCRIBING_TIME)

    def __exit__(self, *_: object) -> None:
        self._host.disarm()


class RunErrors:
    """Says what happened in words that the author of the code can act on."""

    def __init__(
        self, host: Host, lockfile_imports: dict[str, str], trust: str, replaced: Replaced
    ) -> None:
        self._host = host
        self._replaced = replaced
        self._lockfile_imports = lockfile_imports
        self._trust = trust

    def describe(self, error: BaseException, reason: str | None, request: RunRequest) -> RunError:
        """Describe what ended a run: ``error``, or the ``reason`` that the host had to end it."""
        # Before the clock is set anew, with which the host forgets it.
        heap_limit = self._host.refused_heap()
        with self._in_time():
            return self._describe(error, reason, request, heap_limit)

    def _in_time(self) -> _InTime:
        return _InTime(self._host)

    def _describe(
        self,
        error: BaseException,
        reason: str | None,
        request: RunRequest,
        heap_limit: int | None,
    ) -> RunError:
        timeout = request.timeout
        if reason == "output":
            message = (
                f"The run made more than {request.output_bytes:,} bytes of output "
                "and was stopped. Print less, or save the data as a file or an artifact."
            )
            return _ended(reason, "OutputLimitError", message, error)
        if reason == "timeout" and timeout is not None:
            message = f"Execution timeout after {timeout / 1000:g} seconds"
            return _ended(reason, "RunTimeoutError", message, error)
        if reason is not None:
            message = "The run was stopped; what it did until then stays."
            return _ended("stop", "RunInterruptedError", message, error)
        # Not by isinstance, which asks the error itself for its class.
        if heap_limit is not None and issubclass(type(error), MemoryError):
            return _beyond_heap(heap_limit, error)
        beginnings = Beginnings()
        message = beginnings.of_text(error, _LONGEST_MESSAGE)
        name, code = _name_of(error), _code_of(error)
        if beginnings.is_late:
            # Its text is not asked for again.
            return RunError(code, name, message, format_stack(error, f"{name}: {message}"))
        hints = (self._hint_for(error), self._replaced.note())
        for hint in hints:
            if hint is not None:
                error.add_note(hint)
                message = f"{message}\n{hint}"
        text = format_exception(error, f"{name}: {message}")
        wanted = wanted_package(error, self._lockfile_imports)
        return RunError(code, name, message, text, wanted)

    def _hint_for(self, error: BaseException) -> str | None:
        try:
            return hint_for(error, self._lockfile_imports, self._trust)
        except KeyboardInterrupt:
            # The page did not say in time which tools there are.
            return None

    def of_the_answer(
        self, error: BaseException, reason: str | None, request: RunRequest
    ) -> RunError:
        """Describe why what a run answered could not be written down."""
        if reason != "timeout":
            return self.describe(error, reason, request)
        message = (
            "Writing down the answer took too long, so it was not taken. "
            "Hand in plain data: text, numbers, lists, dicts."
        )
        with self._in_time():
            text = format_exception(error, f"TimeoutError: {message}", ends_with_it=True)
        return RunError(_OF_PYTHON, "TimeoutError", message, text)

    def of_the_process(self, error: BaseException, reason: str | None) -> RunError:
        """Describe what code did to the parts that would describe it."""
        with self._in_time():
            message = Beginnings().of_text(error, _LONGEST_MESSAGE)
            code = _code_of(error) if reason is None else _CODES[reason]
        name = _name_of(error)
        note = self._replaced.note()
        message = message if note is None else f"{message}\n{note}"
        return RunError(code, name, message, f"{name}: {message}\n")


def _ended(reason: str, python_type: str, message: str, error: BaseException) -> RunError:
    text = format_exception(error, f"{python_type}: {message}", ends_with_it=True)
    return RunError(_CODES[reason], python_type, message, text)


def _beyond_heap(heap_limit: int, error: BaseException) -> RunError:
    message = (
        f"Python's memory is limited to {heap_limit / 2**20:.0f} MB, "
        "and the code needs more. Work on smaller pieces, or allow more: "
        "limits.heapSize of the session, or what bounds this run."
    )
    text = format_exception(error, f"MemoryError: {message}", ends_with_it=True)
    return RunError(_HEAP_LIMIT, "MemoryError", message, text)


def _name_of(error: BaseException) -> str:
    return type_name(error)[:_LONGEST_NAME]


def _code_of(error: BaseException) -> str:
    """The code that the page gave the error.

    Session code may derive its own classes from ours, and set ``code`` of either to anything.
    """
    if not any(type(error) is own for own in _OWN_CLASSES):
        return _OF_PYTHON
    try:
        code = getattr(error, "code", None)
    except BaseException:  # noqa: BLE001 - whatever session code put in its place
        return _OF_PYTHON
    if type(code) is not str or _CODE.fullmatch(code) is None:
        return _OF_PYTHON
    # How the host ends a run is told by the host alone.
    return _OF_PYTHON if code == _HEAP_LIMIT or code in _CODES.values() else code
