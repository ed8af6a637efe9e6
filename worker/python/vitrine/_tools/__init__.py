"""The namespace ``tools``, and ``@tool``, which makes one of a function."""

from __future__ import annotations

from vitrine._tools._definition import DEFINITIONS, tool
from vitrine._tools._namespace import (
    CallableProxy,
    ToolCall,
    ToolProxy,
    ToolsNamespace,
    forget_tools,
)

__all__ = [
    "DEFINITIONS",
    "CallableProxy",
    "ToolCall",
    "ToolProxy",
    "ToolsNamespace",
    "forget_tools",
    "tool",
]
