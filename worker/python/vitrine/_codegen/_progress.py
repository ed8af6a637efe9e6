"""What a generated program says of itself: progress, artifacts, and how it ended.

Every call is told to the page at once, so that nothing is lost with the interpreter.
The calls work plain and awaited alike: the work is done when the call returns.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any, cast, override

from vitrine._codegen._values import plain_json

type Report = Callable[[str, dict[str, Any]], object]
type Payload = dict[str, Any]


class Done:
    """Can be awaited; what it stands for has happened already."""

    def __await__(self) -> Generator[Any, Any]:
        return None
        yield


class Finalized:
    """Whether ``done`` or ``fail`` was called: false at first, true in conditions from then on."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress

    def __bool__(self) -> bool:
        return self._progress.finalized

    @override
    def __eq__(self, other: object) -> bool:
        return bool(self) == other

    __hash__ = None  # type: ignore[assignment]

    @override
    def __repr__(self) -> str:
        return repr(bool(self))


class Progress:
    """The state of one program, from its first ``set_progress`` to ``done`` or ``fail``."""

    def __init__(self, report: Report, result_file: Path, contract: dict[str, Any]) -> None:
        self._report = report
        self._result_file = result_file
        self._contract = contract
        self.state: dict[str, Any] = {
            "objective": "",
            "status": "In progress",
            "story": [],
            "out_dyn": {},
        }
        self.finalized = False

    def set_progress(
        self,
        *,
        objective: str | None = None,
        status: str | None = None,
        story_append: str | list[str] | tuple[str, ...] | None = None,
        artifact: object = None,
        out_dyn_patch: object = None,
        flush: bool = False,
    ) -> Done:
        """Tell how far the program is, and what it has made.

        Args:
            objective: What the program is to reach.
            status: Where it stands.
            story_append: What was done since, as one or several short sentences.
            artifact: ``{"name": id, "type": "inline" | "file", …}`` or ``{id: payload}``.
            out_dyn_patch: The same as a mapping of ids.
            flush: Accepted; what was told is kept in any case.

        Raises:
            TypeError: The artifact is none; the message names it.
        """
        made = _artifacts_of(artifact) if artifact is not None else {}
        if out_dyn_patch is not None:
            made |= _artifacts_of(out_dyn_patch)
        story = _story_of(story_append)
        if self.finalized:
            return Done()
        news: dict[str, Any] = {"artifacts": made, "story": story}
        if objective is not None:
            news["objective"] = str(objective)
        if status is not None:
            news["status"] = str(status)
        self._take(news)
        self._report("progress", news)
        return Done()

    def done(self) -> Done:
        """Say that the contract is fulfilled. What is said later changes nothing."""
        if self.finalized:
            return self._finish_again("done()")
        self._finish("Completed", None)
        return Done()

    def fail(
        self,
        description: str = "",
        where: str = "",
        error: str = "",
        details: object = "",
        managed: bool = True,
        out_dyn: object = None,
    ) -> Done:
        """Say that the program cannot go on. What it has made is kept."""
        if self.finalized:
            return self._finish_again("fail()")
        if out_dyn is not None:
            self.set_progress(artifact=out_dyn)
        failure = {
            "where": str(where) or "runtime",
            "error": str(error),
            "description": str(description),
            "details": details if isinstance(details, str) else _as_text(details),
            "managed": bool(managed),
        }
        self._finish("Failed", failure)
        return Done()

    def result(self, error: dict[str, Any] | None) -> dict[str, Any]:
        """The program's result as it is written to its file."""
        state = self.state
        whole: dict[str, Any] = {
            "ok": error is None,
            "objective": state["objective"] or (error or {}).get("description", ""),
            "contract": self._contract,
            "out_dyn": state["out_dyn"],
        }
        return whole if error is None else whole | {"error": error}

    def _finish(self, status: str, error: dict[str, Any] | None) -> None:
        self.finalized = True
        self._take({"status": status})
        text = json.dumps(self.result(error), ensure_ascii=False, default=str)
        self._result_file.parent.mkdir(parents=True, exist_ok=True)
        self._result_file.write_text(_writable(text), encoding="utf-8")
        self._report("finished", {"status": status, "error": error})

    def _finish_again(self, call: str) -> Done:
        """What was said first counts; that it was said again is worth a warning."""
        self._report("finished_again", {"call": call})
        return Done()

    def _take(self, news: dict[str, Any]) -> None:
        state = self.state
        for name in ("objective", "status"):
            if name in news:
                state[name] = news[name]
        state["story"].extend(news.get("story", ()))
        state["out_dyn"].update(news.get("artifacts", {}))


def _story_of(appended: object) -> list[str]:
    if appended is None or appended == "":
        return []
    if isinstance(appended, (list, tuple)):
        return [str(line) for line in cast("list[object]", appended)]
    return [str(appended)]


def _artifacts_of(given: object) -> dict[str, Payload]:
    if not isinstance(given, dict):
        raise TypeError("artifact must be a dict")
    mapping = cast("dict[object, object]", given)
    for field in ("artifact_id", "name"):
        name = mapping.get(field)
        if isinstance(name, str):
            rest = {
                key: item for key, item in mapping.items() if key not in ("artifact_id", "name")
            }
            return {name: _payload(name, rest)}
    return {str(name): _payload(str(name), payload) for name, payload in mapping.items()}


def _payload(name: str, payload: object) -> Payload:
    if not isinstance(payload, dict):
        kind = type(payload).__name__
        raise TypeError(f"artifact {name!r} must be a dict with a type, not {kind}")
    plain = cast("Payload", plain_json(cast("object", payload), f"artifact {name!r}"))
    if plain.get("type") not in ("inline", "file"):
        raise TypeError(f'artifact {name!r} needs "type": "inline" or "file"')
    return {key: _writable(item) for key, item in plain.items()}


def _writable[T](value: T) -> T:
    """Text without lone surrogates, which no file can hold."""
    if isinstance(value, str):
        return cast("T", value.encode("utf-8", "replace").decode("utf-8"))
    if isinstance(value, dict):
        pairs = cast("dict[str, object]", value).items()
        return cast("T", {_writable(key): _writable(item) for key, item in pairs})
    if isinstance(value, list):
        return cast("T", [_writable(item) for item in cast("list[object]", value)])
    return value


def _as_text(details: object) -> str:
    try:
        return json.dumps(plain_json(details, "details"), ensure_ascii=False)
    except TypeError:
        return str(details)


__all__ = ["Done", "Finalized", "Progress", "Report"]
