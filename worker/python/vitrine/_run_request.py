"""What the page asks of a run, read once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from vitrine._json_text import read_json


@dataclass(frozen=True)
class ServedCall:
    """A tool that session code defined, and the call of it that a run serves."""

    name: str
    call_id: str


@dataclass(frozen=True)
class RunRequest:
    """A run as the page planned it, but for its code; the page's ``RunRequest``."""

    filename: str
    timeout: float | None
    helpers: dict[str, Any]
    imports: list[str] | None
    max_value_size: int
    output_bytes: int
    max_open_calls: int
    tool_call: ServedCall | None
    auto_install: bool
    tools_version: int


def read_request(text: str) -> RunRequest:
    """Read a request, and what of its session the run finds, as the worker writes them."""
    wire = read_json(text)
    served = wire["toolCall"]
    return RunRequest(
        filename=wire["filename"],
        timeout=wire["timeout"],
        helpers=wire["helpers"],
        imports=wire["imports"],
        max_value_size=wire["maxValueSize"],
        output_bytes=wire["outputBytes"],
        max_open_calls=wire["maxOpenCalls"],
        tool_call=None if served is None else ServedCall(served["name"], served["callId"]),
        auto_install=wire["autoInstall"],
        tools_version=wire["toolsVersion"],
    )


__all__ = ["RunRequest", "ServedCall", "read_request"]
