"""What came of a run, ready for the page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from vitrine._encoded_result import NOTHING, EncodedResult
from vitrine._json_text import write_json
from vitrine._run_error import RunError


@dataclass(frozen=True)
class HelperReport:
    """What the helpers of a run tell: its answer, whose value crosses by itself, and a memory."""

    value: list[Any] | None
    answer: dict[str, Any] | None
    memory: dict[str, Any] | None


@dataclass(frozen=True)
class RunReply:
    """The parts of a reply. A run without helpers has no report."""

    result: EncodedResult = NOTHING
    error: RunError | None = None
    report: HelperReport | None = None

    def wire(self) -> list[Any]:
        """Write it as ``WireReply`` of ``worker/interpreter.ts`` reads it.

        A list, since it crosses without a function of JavaScript that code could have replaced.
        """
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


__all__ = ["HelperReport", "RunReply"]
