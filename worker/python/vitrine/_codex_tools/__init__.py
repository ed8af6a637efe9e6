"""The module ``codex_tools``: a function for each tool, for code that imports them."""

from __future__ import annotations

from vitrine._codex_tools._module import CodexTools, forget_functions, install_codex_tools

__all__ = ["CodexTools", "forget_functions", "install_codex_tools"]
