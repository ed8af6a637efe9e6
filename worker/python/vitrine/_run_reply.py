"""What came of a run, ready for the page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from vitrine._encoded_result import NOTHING, EncodedResult
from vitrine._json_text import write_json
from vitrine._run_error import RunError


@dataclass(frozen=True)
class HelperReport:
    """What the helpers of a run tell. The value of an answer crosses by itself."""

    value: list[Any] | None
    answer: dict[str, Any] | None
    memory: dict[str, Any] | None


@dataclass(frozen=True)
class RunReply:
    """A reply, whose report is that of the helpers."""

    result: EncodedResult = NOTHING
    error: RunError | None = None
    report: HelperReport | None = None

    def wire(self) -> list[Any]:
        """Make it the ``WireReply`` of the worker."""
        # A dict would cross by a function of JavaScript, which code may have replaced.
        error, report = self.error, self.report
        return [
            self.result.wire,
            self.result.full_text,
            self.result.shown,
            None if error is None else write_json(error.__dict__),
            None if report is None else report.value,
            None
            if report is None
            else write_json({"answer": report.answer, "memory": report.memory}),
        ]
